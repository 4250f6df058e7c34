import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/requests`: answers to people's requests.
struct WishRoutes: Sendable {
    let desk: Desk

    /// A request on its own page, so that links can lead to it.
    func wishPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let (person, wish) = try wish(visit, asker)
        return try desk.page(shown(wish, of: person, for: asker), for: asker)
    }

    /// Grants or declines a request; leads back to the page with the buttons. A grant that is refused leaves it open
    /// and shows the reason.
    func answerWish(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let answer = reading.choice("answer", as: Answer.self, "Choose grant or decline.")
        let origin = reading.optional("from") ?? ""
        try reading.finish()
        let (person, wish) = try wish(visit, asker)
        let isGranted = answer == .grant
        do {
            try desk.command { household, log, now in
                try household.answerWish(
                    person.id, wish: wish.id, grant: isGranted, catalog: desk.catalog, at: now)
                log.note(
                    isGranted ? .wishGranted : .wishDeclined, person.id, wish.device, at: now,
                    wish.what.words(in: desk.wholeCatalog(household)))
            }
        } catch let refusal as Refusal {
            let (person, wish) = try self.wish(visit, asker)
            return try desk.page(
                shown(wish, of: person, for: asker), for: asker, status: .conflict,
                notices: [PageContext.Notice(.refused, refusal.message)])
        }
        return desk.back(
            to: RequestRow.origins[origin] ?? "/requests/\(wish.id.uuidString)", for: asker,
            done: isGranted ? .wishGranted : .wishDeclined)
    }

    private func shown(_ wish: Wish, of person: Person, for asker: Asker) -> WishPage {
        WishPage(
            wish, person: person, household: asker.household, catalog: desk.wholeCatalog(asker.household))
    }

    /// Whose it is, whoever's page the answer comes from.
    private func wish(_ visit: Visit, _ asker: Asker) throws -> (Person, Wish) {
        let id = visit.parameters.get("id").flatMap { UUID(uuidString: $0) }
        for person in asker.household.people {
            if let wish = person.wishes(at: asker.now).first(where: { $0.id == id }) { return (person, wish) }
        }
        throw PageError(.notFound, "This request is over.")
    }

    private enum Answer: String { case grant, decline }
}
