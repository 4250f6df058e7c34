package import Foundation

extension FocusTimer {
    package var isRunning: Bool { if case .running = state { true } else { false } }

    package var isPaused: Bool { if case .paused = state { true } else { false } }

    /// The contract's word for the state: `idle`, `running` or `paused`.
    package var stateName: String {
        switch state {
        case .idle: "idle"
        case .running: "running"
        case .paused: "paused"
        }
    }

    /// The session that is under way; nil: idle.
    package var session: UUID? {
        switch state {
        case .idle: nil
        case .running(let running): running.session
        case .paused(let paused): paused.session
        }
    }

    /// When it comes to 0; nil unless it runs.
    package var endsAt: Date? { if case .running(let running) = state { running.endsAt } else { nil } }

    /// Seconds to the end, rounded up, from the total down to 0.
    package func remaining(at now: Date) -> Int {
        switch state {
        case .idle(let remaining): remaining
        case .running(let running): running.remaining(at: now)
        case .paused(let paused): paused.remaining
        }
    }

    /// How much of the ring is filled, from 0 to 1.
    package func progress(at now: Date) -> Double {
        1 - Double(remaining(at: now)) / Double(totalSeconds)
    }

    /// "Nm"; a total that was imported can have other than whole minutes.
    package var presetLabel: String { "\(max(1, totalSeconds / 60))m" }

    /// What to write down when it has come to 0 by an instant; nil: it has not. The same whenever it is noticed.
    package func completion(at now: Date) -> FocusSession? {
        guard case .running(let running) = state, now.wholeSecond >= running.endsAt else { return nil }
        return FocusSession(
            id: running.session, start: running.start, end: running.endsAt,
            durationSeconds: totalSeconds, presetLabel: presetLabel, completed: true)
    }

    /// What to write down when it is stopped before its end; nil: it is idle.
    package func unfinished(at now: Date) -> FocusSession? {
        let run: (id: UUID, start: Date, end: Date)
        switch state {
        case .running(let running): run = (running.session, running.start, now.wholeSecond)
        case .paused(let paused):
            run = (paused.session, paused.start, paused.since)
        case .idle: return nil
        }
        return FocusSession(
            id: run.id, start: run.start, end: run.end,
            durationSeconds: totalSeconds - remaining(at: now), presetLabel: presetLabel,
            completed: false)
    }

    /// Whether a tick would tell anything: it has ended, the clock went back, or `seen` is a minute old.
    ///
    /// A `seen` of every second would be a write of every second. So where the clock goes back by less than that
    /// minute, so much can be shown once more.
    func needsTick(at instant: Date) -> Bool {
        guard case .running(let running) = state else { return false }
        let now = instant.wholeSecond
        return now >= running.endsAt || now < running.seen || now.timeIntervalSince(running.seen) >= 60
    }
}

extension FocusTimer.Running {
    /// Seconds, rounded up; never more than remained when it was told the time last.
    package func remaining(at now: Date) -> Int {
        let left = endsAt.timeIntervalSince(max(now.wholeSecond, seen))
        return Int(min(max(left, 0), 1e9))
    }
}

extension Date {
    /// The second that it lies in.
    var wholeSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }

    var isWholeSecond: Bool { self == wholeSecond }
}
