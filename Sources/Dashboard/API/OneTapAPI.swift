import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

extension HomeSite {
    func apiBedtime(_ request: Request, _ visit: Visit) async throws -> Response {
        try await apiOneTap(.bedtime, request, visit)
    }

    func apiLater(_ request: Request, _ visit: Visit) async throws -> Response {
        try await apiOneTap(.later, request, visit)
    }

    func apiSkip(_ request: Request, _ visit: Visit) async throws -> Response {
        try await apiOneTap(.skip, request, visit)
    }

    /// Takes a press back within 8 seconds, with the token that made it.
    func apiUndo(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = body.string("press")
        let person = try apiPathPerson(visit)
        try body.finish()
        let asker = try asker(request, visit)
        guard let press = id.flatMap({ UUID(uuidString: $0) }).flatMap(presses.press), press.person == person
        else { throw Problem(Refusal.undoTooLate) }
        try takeBack(press.id, by: try presser(asker, visit))
        return try state(of: person, for: try self.asker(request, visit))
    }

    private func apiOneTap(_ tap: OneTap, _ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        try body.finish()
        let person = try apiPathPerson(visit)
        let press = try press(tap, on: person, by: try presser(try asker(request, visit), visit))
        let asker = try asker(request, visit)
        let audience = Audience(
            person: person, isSignedIn: true,
            seesUsage: asker.household[person: person].map(asker.seesUsage(of:)) ?? false)
        return Self.json(
            .object([
                ("press", .string(press.id.uuidString)),
                ("undoUntil", .instant(press.at.addingTimeInterval(OneTap.patience))),
                ("state", stateText(at: clock.now()).state(of: audience) ?? .null),
            ]))
    }

    /// The person whom the path names.
    private func apiPathPerson(_ visit: Visit) throws -> PersonID {
        guard let number = visit.parameters.get("id").flatMap(FormReading.wholeNumber) else {
            throw Problem(.notFound)
        }
        let id = PersonID(rawValue: Int64(number))
        guard store.household[person: id] != nil else { throw Problem(Refusal.unknownPerson) }
        return id
    }
}
