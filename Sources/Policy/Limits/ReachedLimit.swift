package import Foundation

/// An entry of the "Shielded" list (TH-008): a target whose minutes are used up. It is stored before it applies
/// (TH-027), so that the target stays blocked even if a power cut loses counted minutes.
package struct ReachedLimit: Hashable, Sendable {
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
