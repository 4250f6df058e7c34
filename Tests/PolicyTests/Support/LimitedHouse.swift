import Foundation

@testable import Policy

/// The minutes that "Me" used today, with a settled household, as every form sees it.
struct LimitedHouse {
    var household = home()
    var now = at("2026-11-18T10:00:00Z")  // A Wednesday.
    var usage = UsageTotals.none

    init(_ limits: [(LimitTarget, Int)] = []) throws {
        // An adult who can be asked.
        household.people[1].role = .adult
        for (target, minutes) in limits { try set(target, minutes) }
    }

    var limits: Limits { household[person: me]!.limits }
    var states: [LimitState] {
        household[person: me]!.limitStates(at: now, in: household.zone, usage: usage)
    }

    func state(_ target: LimitTarget) -> LimitState? { states.first { $0.limit.target == target } }

    mutating func settle() {
        _ = household.settle(at: now, usage: usage, newID: UUID.init)
        household.forget(at: now, isSynchronised: true)
    }

    mutating func use(_ target: LimitTarget, _ day: Int, week: Int? = nil) {
        usage[me, target] = TargetUse(day: day, week: week ?? day)
        settle()
    }

    @discardableResult
    mutating func set(_ target: LimitTarget, _ minutes: Int, weekly: Int? = nil) throws -> Applied {
        let limit = UsageLimit(id: UUID(), target: target, minutes: minutes, weeklyMinutes: weekly)
        defer { settle() }
        return try household.setLimit(me, limit, catalog: smallCatalog, change: UUID(), at: now)
    }

    @discardableResult
    mutating func unlock(_ target: LimitTarget) throws -> Probation {
        defer { settle() }
        return try household.grantProbation(
            me, target: target, unique: UUID(), catalog: smallCatalog, usage: usage, at: now)
    }

    @discardableResult
    mutating func ask(_ target: LimitTarget) throws -> TimeRequest {
        try household.askForTime(
            me, target: target, device: phone, request: UUID(), catalog: smallCatalog, at: now)
    }

    mutating func answer(_ request: TimeRequest, grant: Bool) throws {
        try household.answerRequest(me, request: request.id, grant: grant, usage: usage, at: now)
        settle()
    }

    mutating func wait(_ seconds: TimeInterval) {
        now += seconds
        settle()
    }

    func isBlocked(_ name: String) -> Bool {
        let snapshot = Snapshot(
            revision: 1, instant: now, household: household,
            catalog: smallCatalog.adding(household.ownApps),
            verdicts: household.evaluate(at: now, usage: usage), usage: usage)
        return snapshot.verdict(of: name, person: me).block != nil
    }
}
