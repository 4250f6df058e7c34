package import Foundation

/// What time it is for a household: what the clock says, but for a jump ahead while a strict session runs. Until
/// `TrustedTime` believes that jump, time goes on as uptime explains it, so that of the session's two ends, by the clock
/// and by uptime, the later one holds.
package struct SteadyTime: Sendable {
    /// When uptime was 0 by what is believed, in seconds since 1970; nil: nothing was asked yet.
    package private(set) var start: TimeInterval?
    private var trust: TrustedTime?

    /// - Parameter start: as an earlier process of the same boot knew it.
    package init(start: TimeInterval? = nil) { self.start = start }

    /// Ask at least once a minute.
    /// - Parameters:
    ///   - said: by the clock, read just after `uptime`.
    ///   - isHeld: whether a strict session runs.
    package mutating func now(
        _ said: Date, uptime: TimeInterval, isSynchronised: Bool, isHeld: Bool
    ) -> Date {
        guard isHeld, let known = start else {
            start = said.timeIntervalSince1970 - uptime
            trust = nil
            return said
        }
        var trust = self.trust ?? TrustedTime(Date(timeIntervalSince1970: known + uptime))
        trust.note(said, uptime: uptime, isSynchronised: isSynchronised)
        self.trust = trust
        // A clock that was set back and is put right again goes on where it was.
        let believed = max(known + uptime, trust.instant?.timeIntervalSince1970 ?? 0)
        start = believed - uptime
        return min(said, Date(timeIntervalSince1970: believed))
    }
}
