package import Foundation

extension Person {
    /// Applies the changes that have waited long enough, in the order in which they fell due. No change waits longer
    /// than the longest delay, even if the clock was ahead when it was made.
    mutating func settlePending(at now: Date) {
        let latest = now.addingTimeInterval(PendingChange.longestDelay)
        for index in pending.indices where pending[index].due > latest { pending[index].due = latest }
        for entry in pending.filter({ $0.due <= now }).sorted(by: { $0.due < $1.due }) { apply(entry.change) }
        pending.removeAll { $0.due <= now }
    }

    /// Applies a change, which was checked when it was asked for.
    mutating func apply(_ change: PendingChange.Change) {
        switch change {
        case .restricted(let selection, let set): antiRot[set: set]?.restricted = selection
        case .windows(let windows, let set): antiRot[set: set]?.windows = windows
        case .removeWindowSet(let set):
            antiRot[set: set] = nil
            pending.removeAll { $0.change.windowSet == set }
        case .limit(let limit):
            if let index = limits.list.firstIndex(where: { $0.target == limit.target }) {
                limits.list[index] = limit
            } else {
                limits.list.append(limit)
            }
        case .removeLimit(let target): limits.list.removeAll { $0.target == target }
        case .resetHour(let hour): limits.resetHour = hour
        case .unlocksPerDay(let count): limits.unlocksPerDay = count
        case .looseningDelay(let hours): looseningDelay = hours
        case .dateException(let exception):
            dateExceptions.removeAll { $0.id == exception.id }
            dateExceptions.append(exception)
        case .removeDateException(let id): dateExceptions.removeAll { $0.id == id }
        }
    }
}

extension PendingChange.Change {
    /// The set that it is about; nil also for the first one.
    package var windowSet: UUID? {
        switch self {
        case .restricted(_, let set), .windows(_, let set): set
        case .removeWindowSet(let set): set
        default: nil
        }
    }
}
