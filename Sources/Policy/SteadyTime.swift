package import Foundation

/// What time it is for a household: what the machine's clock says, but for two lies.
///
/// A machine without a battery starts in the past: time is never earlier than the last instant that was noted, until the
/// kernel calls the clock synchronised or the clock has caught up. And a clock that jumps ahead ends no strict session:
/// while one runs, time goes on by uptime until the clock has been ahead by the same, and synchronised, for ten minutes
/// on end. Of the session's two ends, by the clock and by uptime, the later one holds.
///
/// Seconds throughout, since 1970 or since the start of the machine.
package struct SteadyTime: Sendable {
    /// For how long a jump ahead must hold.
    static let patience: TimeInterval = 600
    /// A clock that is set by less is put right, and does not jump.
    private static let trifle: TimeInterval = 0.1
    /// A clock that is ahead and moves by more says something else, and its ten minutes begin anew.
    private static let same: TimeInterval = 60

    /// When uptime was 0 by what is believed; nil: nothing was asked yet.
    package private(set) var start: TimeInterval?
    /// When uptime was 0 by the last instant that was noted; nil: the clock has caught up, or was synchronised.
    private var earliest: TimeInterval?
    /// When uptime was 0 by a clock that is ahead of what is believed and synchronised, and the uptime since which it
    /// says so; nil: it is not ahead.
    private var ahead: (start: TimeInterval, since: TimeInterval)?

    /// - Parameters:
    ///   - start: as an earlier process of the same boot knew it.
    ///   - last: the last instant that was noted.
    ///   - uptime: now.
    package init(start: TimeInterval? = nil, notBefore last: Date? = nil, uptime: TimeInterval = 0) {
        self.start = start
        earliest = last.map { $0.timeIntervalSince1970 - uptime }
    }

    /// Ask at least once a minute.
    /// - Parameters:
    ///   - clock: what the machine's clock says, read just after `uptime`.
    ///   - isHeld: whether a strict session runs.
    package mutating func now(
        _ clock: Date, uptime: TimeInterval, isSynchronised: Bool, isHeld: Bool
    ) -> Date {
        var said = clock.timeIntervalSince1970 - uptime
        if let earliest, !isSynchronised, said < earliest { said = earliest } else { earliest = nil }
        let isAhead = start.map { said > $0 + Self.trifle } ?? false
        let claim = ahead.flatMap { abs($0.start - said) <= Self.same ? $0 : nil } ?? (said, uptime)
        ahead = isAhead && isSynchronised ? claim : nil
        if !isHeld || start == nil || ahead.map({ uptime - $0.since >= Self.patience }) ?? false {
            start = said
        }
        // A clock that was set back is followed, and goes on where it was when it is put right again.
        return Date(timeIntervalSince1970: min(said, start ?? said) + uptime)
    }
}
