package import Foundation

// What loosens can be set to wait (`Person.make`). Every command expects a settled household, and changes nothing when
// it throws.

extension Household {
    /// Sets the limit of one app or category (TH-026), in place of the one that it has; it acts on today's use at once
    /// . An id that exists stays.
    @discardableResult
    package mutating func setLimit(
        _ id: PersonID, _ limit: UsageLimit, catalog: Catalog, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard catalog.adding(ownApps).has(limit.target) else { throw .unknownTarget }
        try limit.check()
        let known = people[index].limits.list.first { $0.target == limit.target }
        let checked = UsageLimit(
            id: known?.id ?? limit.id, target: limit.target, minutes: limit.minutes,
            minutesByDay: limit.minutesByDay, weeklyMinutes: limit.weeklyMinutes)
        return people[index].make(.limit(checked), id: change, at: now)
    }

    /// Takes a limit away; what it held back opens at once, or when the change has waited.
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

    /// When this person's minutes begin anew, 0 to 23 o'clock; the current day is counted anew from there.
    @discardableResult
    package mutating func setResetHour(
        _ id: PersonID, to hour: Int, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard Limits.resetHours.contains(hour) else { throw .resetHourOutOfRange }
        return people[index].make(.resetHour(hour), id: change, at: now)
    }

    /// How often "Unlock for 1 min" can be taken a day: 0 for never, nil for always.
    @discardableResult
    package mutating func setUnlocksPerDay(
        _ id: PersonID, to count: Int?, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        if let count, !Limits.unlockCounts.contains(count) { throw .unlocksOutOfRange }
        return people[index].make(.unlocksPerDay(count), id: change, at: now)
    }

    /// How many hours a change that loosens windows or limits waits: one of `PendingChange.delays`.
    @discardableResult
    package mutating func setLooseningDelay(
        _ id: PersonID, hours: Int, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard PendingChange.delays.contains(hours) else { throw .unknownDelay }
        return people[index].make(.looseningDelay(hours: hours), id: change, at: now)
    }

    /// Takes a change back that waits. Nothing happens when it does not wait any more.
    package mutating func dropPending(_ id: PersonID, change: UUID) throws(Refusal) {
        people[try index(of: id)].pending.removeAll { $0.id == change }
    }
}

extension UsageLimit {
    /// Whole minutes that a day, and a week, can have.
    package func check() throws(Refusal) {
        guard ([minutes] + minutesByDay.values).allSatisfy(Self.range.contains) else {
            throw .limitOutOfRange
        }
        if let weeklyMinutes, !Self.weeklyRange.contains(weeklyMinutes) { throw .weeklyOutOfRange }
    }
}

extension Catalog {
    /// Whether there is such an app or shelf; the shelf of own apps is there also while nothing stands on it.
    package func has(_ target: LimitTarget) -> Bool {
        switch target {
        case .app(let id): app(id: id) != nil
        case .category(let id): category(id: id) != nil || id == Category.own.id
        }
    }
}
