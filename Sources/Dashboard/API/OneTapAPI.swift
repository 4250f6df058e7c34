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
        try await oneTap(request, visit) { _, _ in .bedtime }
    }

    func later(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { _, _ in .later }
    }

    func skip(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { _, _ in .skip }
    }

    func bedtimeAt(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { body, _ in body.time("time").map(OneTap.at) }
    }

    func wakeAt(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { body, _ in body.time("time").map(OneTap.wakeAt) }
    }

    /// Takes `minutes`, and perhaps the `limit` for which they are; without it they are for all.
    func giveBonus(_ request: Request, _ visit: Visit) async throws -> Response {
        try await oneTap(request, visit) { body, person in
            let minutes = body.int("minutes")
            let named = body.contains("limit") ? body.string("limit").flatMap(UUID.init) : nil
            let target = named.flatMap { id in person.limits.list.first { $0.id == id }?.target }
            if body.contains("limit"), target == nil {
                body.refuse("limit", Refusal.unknownLimit.message)
            }
            return minutes.map { .bonus(Bonus(minutes: $0, target: target)) }
        }
    }

    /// Everybody of a group who is awake, as one press; without a group, everybody.
    func toBed(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let group = body.contains("group") ? body.choice("group", of: BedtimeGroup.allCases) : .everybody
        try body.finish()
        let asker = try desk.asker(request, visit)
        let presses = try household.pressToBed(group ?? .everybody, by: try desk.presser(asker, visit))
        return .json(
            .object([
                ("press", .string(presses[0].id.uuidString)),
                ("undoUntil", .instant(presses[0].at.addingTimeInterval(OneTap.patience))),
                Self.people(presses.map(\.person)),
            ]))
    }

    /// Takes back what one press did for everybody.
    func undoEverybody(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = body.string("press")
        try body.finish()
        let asker = try desk.asker(request, visit)
        let people = try household.takeBack(
            id.flatMap(UUID.init), by: try desk.presser(asker, visit))
        return .json(.object([Self.people(people)]))
    }

    private static func people(_ people: [PersonID]) -> (String, JSONValue) {
        ("people", .array(people.map { .int(Int($0.rawValue)) }))
    }

    /// Takes a press back within 8 seconds, with the token that made it.
    func undo(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let id = body.string("press")
        let person = try pathPerson(visit)
        try body.finish()
        let asker = try desk.asker(request, visit)
        try household.takeBack(
            id.flatMap(UUID.init), for: person, by: try desk.presser(asker, visit))
        return try desk.state(of: person, for: try desk.asker(request, visit))
    }

    private func oneTap(
        _ request: Request, _ visit: Visit, _ read: (inout JSONBody, Person) -> OneTap?
    ) async throws -> Response {
        var body = try await JSONBody(request)
        let person = try pathPerson(visit)
        guard let owner = desk.store.household[person: person] else { throw Problem(Refusal.unknownPerson) }
        let tap = read(&body, owner)
        try body.finish()
        guard let tap else { throw Problem(.invalidInput) }
        let press = try household.press(
            tap, on: person, by: try desk.presser(try desk.asker(request, visit), visit))
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
