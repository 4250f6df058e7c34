package import Foundation

/// What time it is for a household: what the machine's clock says, but for two lies.
///
/// A machine without a battery starts in the past: time is never earlier than the last instant that was noted, until the
/// kernel calls the clock synchronised or the clock has caught up. And no clock that jumps, ahead or back, ends a strict
/// session, a focus timer or a delay: while one runs, time goes on by uptime, until the clock has said something else, and
/// was synchronised, for ten minutes on end.
///
/// Seconds throughout, since 1970 or since the start of the machine.
package struct SteadyTime: Sendable {
    /// For how long a jump must hold.
    static let patience: TimeInterval = 600
    /// A clock that is set by less is put right, and does not jump.
    private static let trifle: TimeInterval = 0.1
    /// A clock that jumped and moves by more says something else, and its ten minutes begin anew.
    private static let same: TimeInterval = 60

    /// When uptime was 0 by what is believed; nil: nothing was asked yet.
    package private(set) var start: TimeInterval?
    /// When uptime was 0 by the last instant that was noted; nil: the clock has caught up, or was synchronised.
    private var earliest: TimeInterval?
    /// When uptime was 0 by a clock that is synchronised and does not say what is believed, and the uptime since which
    /// it says so; nil: there is no such clock.
    private var jump: (start: TimeInterval, since: TimeInterval)?

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
    ///   - isHeld: whether something runs that no jump may end (`Household.holdsTime`).
    package mutating func now(
        _ clock: Date, uptime: TimeInterval, isSynchronised: Bool, isHeld: Bool
    ) -> Date {
        var said = clock.timeIntervalSince1970 - uptime
        let noted = max(said, earliest ?? said)
        if isSynchronised || noted == said { earliest = nil } else { said = noted }
        // What runs at the first look began before the last instant that was noted, whatever the clock says now.
        let believed = isHeld ? start ?? noted : said
        let claim = jump.flatMap { abs($0.start - said) <= Self.same ? $0 : nil } ?? (said, uptime)
        jump = isSynchronised && abs(said - believed) > Self.trifle ? claim : nil
        let hasHeld = jump.map { uptime - $0.since >= Self.patience } ?? false
        let start = hasHeld ? said : believed
        self.start = start
        return Date(timeIntervalSince1970: start + uptime)
    }
}

extension Household {
    /// Whether something runs that a clock that jumps would end for good: a strict session, a focus timer, or a delay
    /// before something gets easier.
    package var holdsTime: Bool {
        people.contains {
            $0.session?.strictness == .strict || $0.focus.timer.isRunning || !$0.pending.isEmpty
        }
            || devices.contains { $0.departure != nil }
    }
}
