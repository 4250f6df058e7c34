// Where nothing is blocked, nothing can be loosened: so a first set-up never waits.

extension Person {
    /// Whether a change would at any time block less than now, whatever else it does.
    package func loosens(_ change: PendingChange.Change) -> Bool {
        switch change {
        case .restricted(let selection, let set):
            antiRot[set: set].map { $0.isConfigured && !$0.chosen.isSubset(of: selection) } ?? false
        case .windows(let windows, let set):
            antiRot[set: set].map { $0.isConfigured && windows.open(moreThan: $0.windows ?? []) } ?? false
        case .removeWindowSet(let set): antiRot[set: set]?.isConfigured ?? false
        case .limit(let limit):
            limits.list.first { $0.target == limit.target }.map(limit.isLooser(than:)) ?? false
        case .removeLimit(let target): limits.list.contains { $0.target == target }
        // A day that ends earlier gives minutes back earlier; a day that ends later borrows from the next.
        case .resetHour(let hour): !limits.list.isEmpty && hour != limits.resetHour
        case .unlocksPerDay(let count):
            !limits.list.isEmpty && (count ?? .max) > (limits.unlocksPerDay ?? .max)
        case .looseningDelay(let hours):
            hours < looseningDelay && (antiRot.isConfigured || !limits.list.isEmpty)
        case .dateException(let exception):
            loosens(exception, with: dateExceptions.filter { $0.id != exception.id } + [exception])
        case .removeDateException(let id):
            dateExceptions.first { $0.id == id }.map { exception in
                loosens(exception, with: dateExceptions.filter { $0.id != id })
            } ?? false
        }
    }
}

extension AppSelection {
    fileprivate func isSubset(of other: AppSelection) -> Bool {
        apps.isSubset(of: other.apps) && categories.isSubset(of: other.categories)
            && domains.isSubset(of: other.domains)
    }
}

extension UsageLimit {
    /// Whether it allows more than the other limit on some weekday or in a week, or covers fewer apps.
    fileprivate func isLooser(than other: UsageLimit) -> Bool {
        Weekday.allCases.contains { minutes(on: $0) > other.minutes(on: $0) }
            || (weeklyMinutes ?? .max) > (other.weeklyMinutes ?? .max)
            || !leavesOut.isSubset(of: other.leavesOut)
    }
}
