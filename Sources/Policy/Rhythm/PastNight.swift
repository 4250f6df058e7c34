package import Foundation

/// One sleep session that is over, as the rules about mornings and days read it.
package struct PastNight: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        /// It ran to its end, or another session took its place.
        case kept
        case cancelled
        /// By the emergency reset.
        case reset
    }

    package let start: Date
    /// When it really ended; never before `start`.
    package let end: Date
    /// When it would have ended by itself.
    package let plannedEnd: Date
    /// Whether the nightly schedule began it.
    package let isScheduled: Bool
    package let ending: Ending

    package init(start: Date, end: Date, plannedEnd: Date, isScheduled: Bool, ending: Ending) {
        self.start = start
        self.end = max(start, end)
        self.plannedEnd = plannedEnd
        self.isScheduled = isScheduled
        self.ending = ending
    }

    /// A running session as it will be if it runs to its end.
    package init(ifKept session: SleepSession) {
        self.init(
            start: session.startedAt, end: session.endsAt, plannedEnd: session.endsAt,
            isScheduled: session.night != nil, ending: .kept)
    }

    /// Whether it was taken back at once, so that it was no night.
    package var wasTakenBack: Bool { ending != .kept && end <= start + OneTap.patience }
}
