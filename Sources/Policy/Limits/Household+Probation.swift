package import Foundation

extension Household {
    /// "Unlock for 1 min": for 60 seconds from now, exempts an app from every limit that covers it,
    /// or a category from its own limit. Several can run at a time, each with its own end.
    @discardableResult
    package mutating func grantProbation(
        _ id: PersonID, target: LimitTarget, unique: UUID, catalog: Catalog, usage: UsageTotals, at now: Date
    ) throws(Refusal) -> Probation {
        let index = try index(of: id)
        let zone = self.zone
        let person = people[index]
        guard try person.reachedLimit(on: target, catalog.adding(ownApps), at: now, in: zone, usage) != nil
        else { throw .limitNotReached }
        let day = person.limits.day(at: now, in: zone)
        let used = person.limits.unlocksUsed(on: day)
        if let most = person.limits.unlocksPerDay, used >= most { throw .unlocksUsedUp }
        let probation = Probation(unique, target: target, at: now)
        people[index].limits.probations.append(probation)
        people[index].limits.unlocks = Limits.DayCount(day: day.date, count: used + 1)
        return probation
    }
}

extension Person {
    /// The reached limit that blocks a target, an app's own before its category's; nil if none is reached. Refused if
    /// the target has no limit or does not exist.
    func reachedLimit(
        on target: LimitTarget, _ catalog: Catalog, at now: Date, in zone: CivilZone, _ usage: UsageTotals
    ) throws(Refusal) -> LimitState? {
        let states = limitStates(at: now, in: zone, usage: usage)
        let holding = catalog.targetsHolding(target).compactMap { held in
            states.first { $0.limit.target == held && !$0.limit.leavesOut.contains(target.id) }
        }
        guard !holding.isEmpty else {
            throw catalog.has(target) ? .unknownLimit : .unknownTarget
        }
        return holding.first(where: \.isReached)
    }
}

extension Catalog {
    /// The targets whose limits cover a target: itself, and an app's category.
    func targetsHolding(_ target: LimitTarget) -> [LimitTarget] {
        guard case .app(let id) = target, let app = app(id: id) else { return [target] }
        return [target, .category(app.category)]
    }
}
