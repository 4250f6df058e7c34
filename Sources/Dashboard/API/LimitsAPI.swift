import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Limits and unlocks, for programs.
struct LimitsAPI: Sendable {
    let desk: Desk
    let limits: LimitsRoutes

    func limits(_ request: Request, _ visit: Visit) throws -> Response {
        try limits(for: try desk.asker(request, visit))
    }

    /// Takes the object that GET answers. Its `limits` replace all limits in one transaction; missing settings stay. A
    /// loosening change may wait, and is then under `waiting`.
    func saveLimits(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let asker = try desk.asker(request, visit)
        let person = asker.person.id
        let wanted = try WantedLimits(&body)
        try limits.changeLimits(of: person) { household, id, now in
            try wanted.apply(to: &household, id, catalog: desk.catalog, at: now)
        }
        return try limits(for: asker)
    }

    /// "Unlock for 1 min": `{"app":id}` or `{"category":id}`.
    func startProbation(_ request: Request, _ visit: Visit) async throws -> Response {
        var body = try await JSONBody(request)
        let target = body.target()
        let person = try desk.person(request, visit, &body)
        try body.finish()
        guard let target else { throw Problem(.invalidInput) }
        let usage = desk.feed.snapshot.usage
        let probation = try desk.command { household, log, now in
            let name = target.name(in: desk.wholeCatalog(household))
            log.note(.unlocked, person, at: now, name)
            return try household.grantProbation(
                person, target: target, unique: UUID(), catalog: desk.catalog, usage: usage, at: now)
        }
        return .json(
            .object([
                ("id", .string(probation.id)), ("kind", .string(target.kind)),
                ("target", .string(target.id)), ("expiresAt", .instant(probation.expiresAt)),
            ]), status: .created)
    }

    private func limits(for asker: Asker) throws -> Response {
        let snapshot = desk.present(at: desk.clock.now())
        guard let person = snapshot.household[person: asker.person.id] else {
            throw Problem(Refusal.unknownPerson)
        }
        return .json(LimitsJSON.all(of: person, in: snapshot, showsUse: asker.seesUsage))
    }
}

/// All of a person's limits as a program sent them.
private struct WantedLimits {
    private let limits: [UsageLimit]
    private let resetHour: Int?
    private let unlocksPerDay: Int??
    private let looseningDelay: Int?

    /// Throws if the body cannot be read; the rules check the limits themselves.
    init(_ body: inout JSONBody) throws {
        body.ignore("waiting")
        body.ignore("unlocksUsed")
        if !body.contains("limits") { body.refuse("limits", "This must be a list of objects.") }
        let limits = body.objects("limits") { $0.limit() }
        resetHour = body.contains("resetHour") ? body.int("resetHour") : nil
        unlocksPerDay = body.contains("unlocksPerDay") ? body.intOrNull("unlocksPerDay") : nil
        looseningDelay = body.contains("looseningDelay") ? body.int("looseningDelay") : nil
        try body.finish()
        guard Set(limits.map(\.target)).count == limits.count else {
            throw Problem(
                .repeated,
                errors: ["limits": "There is more than one limit for the same app or category."])
        }
        self.limits = limits
    }

    /// Changes only what differs. The delay comes last, so that the other changes still wait by the old one.
    func apply(
        to household: inout Household, _ id: PersonID, catalog: Catalog, at now: Date
    ) throws(Refusal) {
        guard let before = household[person: id] else { throw .unknownPerson }
        for known in before.limits.list where !limits.contains(where: { $0.target == known.target }) {
            try household.removeLimit(id, limit: known.id, change: UUID(), at: now)
        }
        for limit in limits {
            try household.setLimit(id, limit, catalog: catalog, change: UUID(), at: now)
        }
        if let resetHour, resetHour != before.limits.resetHour {
            try household.setResetHour(id, to: resetHour, change: UUID(), at: now)
        }
        if let unlocksPerDay, unlocksPerDay != before.limits.unlocksPerDay {
            try household.setUnlocksPerDay(id, to: unlocksPerDay, change: UUID(), at: now)
        }
        if let looseningDelay, looseningDelay != before.looseningDelay {
            try household.setLooseningDelay(id, hours: looseningDelay, change: UUID(), at: now)
        }
    }
}

extension JSONBody {
    /// One app or category: `app` or `category`, or `kind` and `target` as `state` writes them.
    fileprivate mutating func target() -> LimitTarget? {
        if contains("app"), contains("category") {
            refuse("category", "Send an app or a category, not both.")
        }
        if contains("app") { return string("app").map(LimitTarget.app) }
        if contains("category") { return string("category").map(LimitTarget.category) }
        guard contains("kind") || contains("target") else {
            refuse("app", Refusal.unknownTarget.message)
            return nil
        }
        let (kind, id) = (choice("kind", of: TargetKind.allCases), string("target"))
        guard let kind, let id else { return nil }
        return kind == .app ? .app(id) : .category(id)
    }

    private enum TargetKind: String, CaseIterable { case app, category }

    /// Ignores the members that only GET tells.
    fileprivate mutating func limit() -> UsageLimit? {
        for name in LimitsJSON.readOnly { ignore(name) }
        let target = target()
        let minutes = int("minutes")
        let byDay = contains("minutesByDay") ? minutesByDay("minutesByDay") : [:]
        let weekly = contains("weeklyMinutes") ? intOrNull("weeklyMinutes") : .some(nil)
        let leavesOut = contains("leavesOut") ? strings("leavesOut") : []
        guard let target, let minutes, let byDay, let weekly, let leavesOut else { return nil }
        return UsageLimit(
            id: UUID(), target: target, minutes: minutes, minutesByDay: byDay, weeklyMinutes: weekly,
            leavesOut: Set(leavesOut))
    }

    private mutating func minutesByDay(_ name: String) -> [Weekday: Int]? {
        object(name) { body in
            Weekday.allCases.reduce(into: [:]) { days, day in
                if body.contains(day.rawValue) { days[day] = body.int(day.rawValue) }
            }
        }
    }
}
