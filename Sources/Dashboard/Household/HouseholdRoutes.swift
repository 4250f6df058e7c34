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
        let id = request.uri.queryParameters["press"].flatMap { UUID(uuidString: String($0)) }
        return try household(asker, visit, undo: id.flatMap(presses.press))
    }

    func bedtimeNow(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(.bedtime, request, visit)
    }

    func laterTonight(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(.later, request, visit)
    }

    func skipTonight(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(.skip, request, visit)
    }

    /// Cancels a flexible session, in 30 seconds (SI-084).
    func wake(_ request: Request, _ visit: Visit) async throws -> Response {
        try await cancelling(request, visit) { try $0.beginCancel($1, at: $2) }
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
        let person: PersonID
        do { person = try takeBack(id, by: try presser(asker, visit)).person } catch let
            refusal as Refusal
        {
            return try household(asker, visit, refused: refusal)
        }
        return desk.back(
            to: "/household", done: .undone, query: Self.viewed(request), at: Self.place(person))
    }

    private func oneTap(_ tap: OneTap, _ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        let press: OneTapPress
        do { press = try self.press(tap, on: asker.person.id, by: try presser(asker, visit)) } catch let
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

    /// The person whose pages the browser shows. The tap is for the form's `person`.
    static func viewed(_ request: Request) -> String? {
        request.uri.queryParameters["person"].flatMap { FormReading.wholeNumber(String($0)) }.map {
            "person=\($0)"
        }
    }

    /// Runs it in one transaction; the person's log says who pressed. Two presses of "Bedtime now" count as one, so
    /// that the second answer still offers Undo.
    func press(_ tap: OneTap, on person: PersonID, by presser: Presser) throws -> OneTapPress {
        try desk.command { household, log, now in
            if let first = presses.last(on: person), first.isRepeated(by: tap, of: presser.key, at: now),
                household[person: person]?.running(at: now)?.id == first.session
            {
                return first
            }
            let done = try household.press(tap, on: person, by: presser.key, unique: UUID(), at: now)
            if let event = done.event {
                var entry = LogEntry(event)
                entry.detail += ". Bedtime now, \(presser.words)"
                log.append(entry)
            } else {
                log.note(.ruleChanged, person, at: now, "Tonight: \(tap.rawValue), \(presser.words)")
            }
            // Stored within the transaction, so that a second press at the same time finds it.
            presses.keep(done.press)
            return done.press
        }
    }

    /// Refuses nil, and a press that is not the person's last any more.
    @discardableResult
    func takeBack(_ id: UUID?, by presser: Presser) throws -> OneTapPress {
        guard let press = id.flatMap(presses.press) else { throw Refusal.undoTooLate }
        try desk.command { household, log, now in
            if let event = try household.takeBack(press, by: presser.key, at: now) {
                var entry = LogEntry(event)
                entry.detail += ". Bedtime now was taken back, \(presser.words)"
                log.append(entry)
            } else {
                log.note(
                    .ruleChanged, press.person, at: now,
                    "Tonight: \(press.tap.rawValue) was taken back, \(presser.words)")
            }
        }
        presses.forget(press.id)
        return press
    }

    /// The asker, by their login or token.
    func presser(_ asker: Asker, _ visit: Visit) throws -> Presser {
        let presser = Presser(
            visit.credential, address: asker.address, device: asker.device?.id, in: asker.household)
        guard let presser else { throw PageError(.unauthorized) }
        return presser
    }

    private func household(
        _ asker: Asker, _ visit: Visit, undo press: OneTapPress? = nil, refused: Refusal? = nil
    ) throws -> Response {
        let key = try presser(asker, visit).key
        let undo = press.flatMap { press in
            press.presser == key && press.secondsLeft(at: asker.now) > 0
                ? HouseholdPage.Undo(press, in: asker.household, now: asker.now) : nil
        }
        let shown = HouseholdPage(
            household: asker.household, catalog: desk.wholeCatalog(asker.household),
            rhythms: try desk.rhythms(for: asker), undo: undo, now: asker.now)
        return try desk.page(
            shown, for: asker, status: refused == nil ? .ok : .conflict,
            notices: refused.map { [PageContext.Notice(.refused, $0.message)] } ?? [])
    }
}
