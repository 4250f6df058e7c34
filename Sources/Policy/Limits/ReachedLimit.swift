package import Foundation

/// An entry of the "Shielded" list (TH-008): a target whose minutes are used up, kept before it is applied (TH-027),
/// so that minutes which a power cut loses do not open it again.
package struct ReachedLimit: Hashable, Sendable {
    package var target: LimitTarget
    /// The `LimitDay` it was reached on; the entry is worth nothing after it, but for a week's budget.
    package var day: CivilDate
    /// What was used that day, and in its week, when it was noticed.
    package var use: TargetUse
    package var since: Date

    package init(target: LimitTarget, day: CivilDate, use: TargetUse, since: Date) {
        self.target = target
        self.day = day
        self.use = use
        self.since = since
    }
}
