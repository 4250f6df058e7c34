package import Foundation

/// What became of a change of windows or limits.
package enum Applied: Hashable, Sendable {
    /// It holds.
    case now
    /// It loosens something, and will hold from then on unless it is taken back.
    case at(Date)
}

extension Person {
    /// Makes a change that was checked: at once, or after this person's delay if any part of it loosens. One that
    /// tightens a part and loosens another waits as a whole, so that what will hold is what was asked for.
    ///
    /// The newest wish counts: a change of the same subject that still waits is dropped, also for one that acts at
    /// once. `id` becomes the waiting change's.
    package mutating func make(_ change: PendingChange.Change, id: UUID, at now: Date) -> Applied {
        pending.removeAll { $0.change.subject == change.subject }
        guard looseningDelay > 0, loosens(change) else {
            apply(change)
            return .now
        }
        let due = now.addingTimeInterval(TimeInterval(looseningDelay) * 3_600)
        // After those that fall due at the same instant: settling keeps this order.
        let index = pending.firstIndex { $0.due > due } ?? pending.endIndex
        pending.insert(PendingChange(id: id, due: due, change: change), at: index)
        return .at(due)
    }
}
