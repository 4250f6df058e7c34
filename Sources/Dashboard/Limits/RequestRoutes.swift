import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

extension LimitsRoutes {
    /// A request for more time on its own page, so that links can lead to it.
    func requestPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let (person, wish) = try timeRequest(visit, asker)
        let shown = RequestPage(
            wish, person: person, household: asker.household, catalog: desk.wholeCatalog(asker.household),
            usage: desk.feed.snapshot.usage, showsUse: asker.seesUsage(of: person), now: asker.now)
        return try desk.page(shown, for: asker)
    }

    /// Grants or declines a request; leads back to the page with the buttons.
    func answerRequest(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let answer = reading.choice("answer", as: Answer.self, "Choose grant or decline.")
        let origin = reading.optional("from") ?? ""
        try reading.finish()
        let (person, wish) = try timeRequest(visit, asker)
        let isGranted = answer == .grant
        try desk.command { household, log, now in
            try household.answerRequest(
                person.id, request: wish.id, grant: isGranted, usage: desk.feed.snapshot.usage, at: now)
            log.note(
                isGranted ? .timeGranted : .timeDeclined, person.id, wish.device, at: now,
                wish.target.name(in: desk.wholeCatalog(household)))
        }
        return desk.back(
            to: RequestRow.origins[origin] ?? "/limits/requests/\(wish.id.uuidString)", for: asker,
            done: isGranted ? .granted : .declined)
    }

    /// Whose it is, whoever's page the answer comes from.
    private func timeRequest(_ visit: Visit, _ asker: Asker) throws -> (Person, TimeRequest) {
        let id = try visit.itemID
        for person in asker.household.people {
            let asked = person.requests(at: asker.now, in: asker.household.zone)
            if let wish = asked.first(where: { $0.id == id }) { return (person, wish) }
        }
        throw PageError(.notFound, "This request is over: it was for another day.")
    }

    private enum Answer: String { case grant, decline }
}
