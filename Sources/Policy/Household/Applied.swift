package import Foundation

/// What became of a change of windows or limits.
package enum Applied: Hashable, Sendable {
    /// It holds now.
    case now
    /// It loosens a rule: it holds from this instant on, unless it is taken back before.
    case at(Date)
}

extension Person {
    /// Makes a checked change: at once, or after the person's delay if any part of it loosens. A change that tightens
    /// one part and loosens another waits as a whole, so that the result is what was asked for.
    ///
    /// The newest wish counts: a waiting change of the same subject is dropped, even if the new one acts at once. `id`
    /// becomes the waiting change's id.
    package mutating func make(_ change: PendingChange.Change, id: UUID, at now: Date) -> Applied {
        pending.removeAll { $0.change.subject == change.subject }
        guard looseningDelay > 0, loosens(change) else {
            apply(change)
            return .now
        }
        let due = now.addingTimeInterval(TimeInterval(looseningDelay) * 3_600)
        // Behind the changes that fall due at the same instant: settling keeps this order.
        let index = pending.firstIndex { $0.due > due } ?? pending.endIndex
        pending.insert(PendingChange(id: id, due: due, change: change), at: index)
        return .at(due)
    }
}
