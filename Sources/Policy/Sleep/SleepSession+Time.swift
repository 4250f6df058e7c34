package import Foundation

extension SleepSession {
    /// The durations of manual sessions, in minutes, in the page's order.
    package static let durations = [30, 60, 120, 240, 360, 480]

    /// How long a cancel of a flexible session takes, in seconds.
    package static let cancelDelay: TimeInterval = 30

    /// A session started by hand, on the whole second: programs read its instants without fractions.
    package static func manual(
        id: UUID, durationMinutes: Int, strictness: StrictnessMode, at now: Date, allowed: AppSelection
    ) -> SleepSession {
        let start = wholeSecond(now)
        return SleepSession(
            id: id, mode: .manual(durationMinutes: durationMinutes), strictness: strictness,
            startedAt: start, endsAt: start.addingTimeInterval(TimeInterval(durationMinutes) * 60),
            allowed: allowed)
    }

    /// A manual session that ends at an instant within the next days; its duration is rounded up to whole minutes.
    static func manual(
        id: UUID, until end: Date, strictness: StrictnessMode, at now: Date, allowed: AppSelection
    ) -> SleepSession {
        let start = wholeSecond(now)
        let minutes = Countdown.wholeSeconds(from: start, to: end) + 59
        return SleepSession(
            id: id, mode: .manual(durationMinutes: minutes / 60), strictness: strictness, startedAt: start,
            endsAt: end, allowed: allowed)
    }

    /// The same session with an earlier end, in a mode that says so.
    func ending(at end: Date, night: CivilDate?) -> SleepSession {
        let minutes = (Countdown.wholeSeconds(from: startedAt, to: end) + 59) / 60
        let isByHand = if case .manual = mode { true } else { false }
        return SleepSession(
            id: id, mode: isByHand ? .manual(durationMinutes: minutes) : mode, strictness: strictness,
            startedAt: startedAt, endsAt: end, allowed: allowed, night: night)
    }

    static func wholeSecond(_ instant: Date) -> Date {
        Date(timeIntervalSince1970: instant.timeIntervalSince1970.rounded(.down))
    }

    /// The session of a night. It starts at its bedtime, even if noticed later, or when it was asked for, at
    /// `since`.
    package static func recurring(
        id: UUID, night: Night, strictness: StrictnessMode, allowed: AppSelection, since: Date? = nil
    ) -> SleepSession {
        SleepSession(
            id: id,
            mode: .recurring(
                startHour: night.bedtime.hour, startMinute: night.bedtime.minute,
                endHour: night.wake.hour, endMinute: night.wake.minute),
            strictness: strictness,
            startedAt: max(night.start, since.map(wholeSecond) ?? night.start), endsAt: night.end,
            allowed: allowed, night: night.date)
    }

    /// When it ends if nothing changes: at its own end, or at an earlier cancel.
    package var due: Date { cancelsAt.map { min($0, endsAt) } ?? endsAt }

    /// Whether it blocks at an instant.
    package func isRunning(at now: Date) -> Bool { isActive && now < due }

    /// The whole session from start to end, in seconds.
    package var totalSeconds: Int { Countdown.wholeSeconds(from: startedAt, to: endsAt) }

    /// Seconds to the end of a cancel, rounded up, never negative; nil if no cancel runs.
    package func cancelRemaining(at now: Date) -> Int? {
        cancelsAt.map { Countdown.wholeSeconds(from: now, to: $0) }
    }

    /// The whole duration as "2h", "30m" or "1h 30m".
    package var durationFormatted: String {
        let minutes = max(0, Int((endsAt.timeIntervalSince(startedAt) / 60).rounded()))
        return switch (minutes / 60, minutes % 60) {
        case (0, let rest): "\(rest)m"
        case (let hours, 0): "\(hours)h"
        case (let hours, let rest): "\(hours)h \(rest)m"
        }
    }
}

/// Seconds as a countdown shows them.
package enum Countdown {
    /// `H:MM:SS`, under an hour `MM:SS`; negative seconds count as 0.
    package static func text(seconds: Int) -> String {
        let left = max(0, seconds)
        let rest = "\((left / 60 % 60).padded(2)):\((left % 60).padded(2))"
        return left < 3_600 ? rest : "\(left / 3_600):\(rest)"
    }

    /// Seconds between two instants, rounded up, never negative.
    ///
    /// Tolerates a millisecond: stored instants are rounded to it, and 30 s must not become 31.
    static func wholeSeconds(from start: Date, to end: Date) -> Int {
        let seconds = (end.timeIntervalSince(start) - 0.001).rounded(.up)
        return Int(min(max(seconds, 0), 1e15))
    }
}
