package import Foundation

// Changes that loosen can be set to wait (`Person.make`). Every command expects a settled household, and changes
// nothing when it throws.

extension Household {
    /// Sets the limit of an app or category and replaces an earlier one; today's use counts at once. An
    /// existing limit keeps its id. Refuses to leave out what is no app of the category; one that the catalog has lost
    /// since is dropped.
    @discardableResult
    package mutating func setLimit(
        _ id: PersonID, _ limit: UsageLimit, catalog: Catalog, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let catalog = catalog.adding(ownApps)
        guard catalog.has(limit.target) else { throw .unknownTarget }
        try limit.check()
        let known = people[index].limits.list.first { $0.target == limit.target }
        let apps = limit.leavesOut.filter {
            limit.target == catalog.app(id: $0).map { .category($0.category) }
        }
        let strangers = limit.leavesOut.subtracting(apps).subtracting(known?.leavesOut ?? [])
        guard strangers.isEmpty else { throw .unknownIDs(strangers.sorted()) }
        let checked = UsageLimit(
            id: known?.id ?? limit.id, target: limit.target, minutes: limit.minutes,
            minutesByDay: limit.minutesByDay, weeklyMinutes: limit.weeklyMinutes, leavesOut: apps)
        return people[index].make(.limit(checked), id: change, at: now)
    }

    /// Removes a limit. What it blocked opens at once, or when the change has waited.
    @discardableResult
    package mutating func removeLimit(
        _ id: PersonID, limit: UUID, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard let known = people[index].limits.list.first(where: { $0.id == limit }) else {
            throw .unknownLimit
        }
        return people[index].make(.removeLimit(known.target), id: change, at: now)
    }

    /// Sets when this person's minutes begin anew, from 0 to 23 o'clock; the current day is counted again from there.
    @discardableResult
    package mutating func setResetHour(
        _ id: PersonID, to hour: Int, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard Limits.resetHours.contains(hour) else { throw .resetHourOutOfRange }
        return people[index].make(.resetHour(hour), id: change, at: now)
    }

    /// Sets how many times a day "Unlock for 1 min" can be used: 0 for never, nil for any number.
    @discardableResult
    package mutating func setUnlocksPerDay(
        _ id: PersonID, to count: Int?, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        if let count, !Limits.unlockCounts.contains(count) { throw .unlocksOutOfRange }
        return people[index].make(.unlocksPerDay(count), id: change, at: now)
    }

    /// Sets how many hours a change waits that loosens windows or limits: one of `PendingChange.delays`.
    @discardableResult
    package mutating func setLooseningDelay(
        _ id: PersonID, hours: Int, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard PendingChange.delays.contains(hours) else { throw .unknownDelay }
        return people[index].make(.looseningDelay(hours: hours), id: change, at: now)
    }

    /// Takes a waiting change back. Does nothing if it no longer waits.
    package mutating func dropPending(_ id: PersonID, change: UUID) throws(Refusal) {
        people[try index(of: id)].pending.removeAll { $0.id == change }
    }
}

extension UsageLimit {
    /// Checks the whole minutes of a day and of a week.
    package func check() throws(Refusal) {
        guard ([minutes] + minutesByDay.values).allSatisfy(Self.range.contains) else {
            throw .limitOutOfRange
        }
        if let weeklyMinutes, !Self.weeklyRange.contains(weeklyMinutes) { throw .weeklyOutOfRange }
    }
}

extension Catalog {
    /// Whether the app or shelf exists; the shelf of own apps exists even when it is empty.
    package func has(_ target: LimitTarget) -> Bool {
        switch target {
        case .app(let id): app(id: id) != nil
        case .category(let id): category(id: id) != nil || id == Category.own.id
        }
    }
}
