import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// The household view's one-tap actions, for programs.
struct OneTapAPI: Sendable {
    let desk: Desk
    let household: HouseholdRoutes

    func bedtime(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(.bedtime, request, visit)
    }

    func later(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(.later, request, visit)
    }

    func skip(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(.skip, request, visit)
    }

    /// Takes a press back within 8 seconds, with the token that made it.
    func undo(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = body.string("press")
        let person = try pathPerson(visit)
        try body.finish()
        let asker = try desk.asker(request, visit)
        guard let press = id.flatMap({ UUID(uuidString: $0) }).flatMap(household.presses.press),
            press.person == person
        else { throw Problem(Refusal.undoTooLate) }
        try household.takeBack(press.id, by: try household.presser(asker, visit))
        return try desk.state(of: person, for: try desk.asker(request, visit))
    }

    private func oneTap(_ tap: OneTap, _ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        try body.finish()
        let person = try pathPerson(visit)
        let press = try household.press(
            tap, on: person, by: try household.presser(try desk.asker(request, visit), visit))
        let asker = try desk.asker(request, visit)
        let audience = Audience(
            person: person, isSignedIn: true,
            seesUsage: asker.household[person: person].map(asker.seesUsage(of:)) ?? false)
        return .json(
            .object([
                ("press", .string(press.id.uuidString)),
                ("undoUntil", .instant(press.at.addingTimeInterval(OneTap.patience))),
                ("state", StateText(desk, at: desk.clock.now()).state(of: audience) ?? .null),
            ]))
    }

    /// The person whom the path names.
    private func pathPerson(_ visit: Visit) throws -> PersonID {
        guard let number = visit.parameters.get("id").flatMap(FormReading.wholeNumber) else {
            throw Problem(.notFound)
        }
        let id = PersonID(rawValue: Int64(number))
        guard desk.store.household[person: id] != nil else { throw Problem(Refusal.unknownPerson) }
        return id
    }
}
