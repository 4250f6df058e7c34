import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/household`: everybody's state, and one tap for each.
struct HouseholdRoutes: Sendable {
    let desk: Desk
    let presses: OneTapPresses

    /// Everybody on one screen. `press` is the id of this browser's last tap.
    func householdPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let id = request.queryID("press")
        return try household(asker, visit, undo: id.map(presses.presses) ?? [])
    }

    func bedtimeNow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { _, _ in .bedtime }
    }

    func laterTonight(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { _, _ in .later }
    }

    func skipTonight(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { _, _ in .skip }
    }

    /// Tonight's bedtime at the form's `time`.
    func bedtimeAt(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { reading, _ in reading.time("time").map(OneTap.at) }
    }

    /// A child's session ends earlier, at the form's `time`.
    func wakeAt(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { reading, _ in reading.time("time").map(OneTap.wakeAt) }
    }

    /// `minutes` for today, for one `limit` by its id, else for all.
    func giveBonus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { reading, person in
            let minutes = reading.integer("minutes", Refusal.bonusOutOfRange.message)
            let named = reading.optional("limit")
            let target = named.flatMap { id in
                person.limits.list.first { $0.id.uuidString == id }?.target
            }
            if named != nil, target == nil { reading.refuse("limit", .unknownLimit) }
            return minutes.map { .bonus(Bonus(minutes: $0, target: target)) }
        }
    }

    /// "Everybody to bed": leads to the one Undo, whatever page it was pressed on.
    func everybodyToBed(_ request: Request, _ visit: Visit) async throws -> Response {
        try await toBed(.everybody, request, visit)
    }

    /// "Children to bed".
    func childrenToBed(_ request: Request, _ visit: Visit) async throws -> Response {
        try await toBed(.children, request, visit)
    }

    private func toBed(_ group: BedtimeGroup, _ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        let press: UUID
        do { press = try pressToBed(group, by: try desk.presser(asker, visit))[0].id } catch let
            refusal as Refusal
        {
            return try household(asker, visit, refused: refusal)
        }
        let query = [Self.viewed(request), "press=\(press.uuidString)"].compactMap { $0 }
        return desk.back(to: "/household", query: query.joined(separator: "&"))
    }

    /// Cancels a flexible session, in 30 seconds.
    func wake(_ request: Request, _ visit: Visit) async throws -> Response {
        try await cancelling(request, visit) { try $0.beginCancel($1, at: $2) }
    }

    /// The same for 30 minutes; then the night goes on.
    func wakeForAWhile(_ request: Request, _ visit: Visit) async throws -> Response {
        try await cancelling(request, visit) { try $0.wakeForAWhile($1, at: $2) }
    }

    /// Takes that back.
    func keepAsleep(_ request: Request, _ visit: Visit) async throws -> Response {
        try await cancelling(request, visit) { try $0.keepSleeping($1, at: $2) }
    }

    private func cancelling(
        _ request: Request, _ visit: Visit, _ rule: (inout Household, PersonID, Date) throws -> Void
    ) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        do {
            try desk.command(keeping: .evenInMemory) { household, _, now in
                try rule(&household, asker.person.id, now)
            }
        } catch let refusal as Refusal {
            return try household(asker, visit, refused: refusal)
        }
        return desk.back(
            to: "/household", query: Self.viewed(request), at: Self.place(asker.person.id))
    }

    /// Takes a press back, if this login made it at most 8 seconds ago.
    func undoOneTap(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let id = UUID(uuidString: reading.optional("press") ?? "")
        try reading.finish()
        let people: [PersonID]
        do { people = try takeBack(id, by: try desk.presser(asker, visit)) } catch let refusal as Refusal {
            return try household(asker, visit, refused: refusal)
        }
        return desk.back(
            to: "/household", done: .undone, query: Self.viewed(request),
            at: people.count == 1 ? Self.place(people[0]) : nil)
    }

    private func oneTap(
        _ request: Request, _ visit: Visit, _ read: (inout FormReading, Person) -> OneTap?
    ) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let tap = read(&reading, asker.person)
        do { try reading.finish() } catch {
            let reasons = error.reasons.values.sorted().map { PageContext.Notice(.refused, $0) }
            return try household(asker, visit, status: .unprocessableContent, notices: reasons)
        }
        guard let tap else { throw PageError(.unprocessableContent) }
        let press: OneTapPress
        do { press = try self.press(tap, on: asker.person.id, by: try desk.presser(asker, visit)) } catch let
            refusal as Refusal
        {
            return try household(asker, visit, refused: refusal)
        }
        let query = [Self.viewed(request), "press=\(press.id.uuidString)"].compactMap { $0 }
        return desk.back(
            to: "/household", query: query.joined(separator: "&"), at: Self.place(asker.person.id))
    }

    /// The id of a person's card.
    private static func place(_ person: PersonID) -> String { "person-\(person.rawValue)" }

    /// The person whose pages the browser shows; the form's `person` is the person whom the tap is for.
    static func viewed(_ request: Request) -> String? {
        request.uri.queryParameters["person"].flatMap { FormReading.wholeNumber(String($0)) }.map {
            "person=\($0)"
        }
    }

    private func household(
        _ asker: Asker, _ visit: Visit, undo presses: [OneTapPress] = [],
        status: HTTPResponse.Status = .ok, notices: [PageContext.Notice] = []
    ) throws -> Response {
        let key = try desk.presser(asker, visit).key
        let own = presses.filter { $0.presser == key && $0.secondsLeft(at: asker.now) > 0 }
        let catalog = desk.wholeCatalog(asker.household)
        let undo = HouseholdPage.Undo(own, in: asker.household, catalog: catalog, now: asker.now)
        let shown = HouseholdPage(
            household: asker.household, catalog: catalog,
            rhythms: try desk.rhythms(for: asker), undo: undo, now: asker.now)
        return try desk.page(shown, for: asker, status: status, notices: notices)
    }

    private func household(_ asker: Asker, _ visit: Visit, refused: Refusal) throws -> Response {
        try household(
            asker, visit, status: refused.isAboutInput ? .unprocessableContent : .conflict,
            notices: [PageContext.Notice(.refused, refused.message)])
    }
}
