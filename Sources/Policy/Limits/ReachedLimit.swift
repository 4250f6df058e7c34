package import Foundation

/// An entry of the "Shielded" list: a target whose minutes are used up, kept before it is applied,
/// so that minutes which a power cut loses do not open it again.
package struct ReachedLimit: Hashable, Codable, Sendable {
    package var target: LimitTarget
    /// The `LimitDay` on which it was reached; later the entry only matters for a weekly budget.
    package var day: CivilDate
    /// The use of that day and its week when it was noticed.
    package var use: TargetUse
    package var since: Date

    package init(target: LimitTarget, day: CivilDate, use: TargetUse, since: Date) {
        self.target = target
        self.day = day
        self.use = use
        self.since = since
    }
}
