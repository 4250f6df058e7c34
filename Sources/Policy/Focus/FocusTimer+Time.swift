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

    /// The current session; nil if idle.
    package var session: UUID? {
        switch state {
        case .idle: nil
        case .running(let running): running.session
        case .paused(let paused): paused.session
        }
    }

    /// When the timer comes to 0; nil unless it runs.
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

    /// "Nm"; an imported total need not be whole minutes.
    package var presetLabel: String { "\(max(1, totalSeconds / 60))m" }

    /// The session to record if the timer came to 0 by an instant, else nil. The same whenever this is called.
    package func completion(at now: Date) -> FocusSession? {
        guard case .running(let running) = state, now.wholeSecond >= running.endsAt else { return nil }
        return FocusSession(
            id: running.session, start: running.start, end: running.endsAt,
            durationSeconds: totalSeconds, presetLabel: presetLabel, completed: true)
    }

    /// The session to record if the timer is stopped early; nil if it is idle.
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

    /// Whether a tick changes anything: the timer has ended, the clock went back, or `seen` is five minutes old.
    ///
    /// Each is a change of the household on the disk. The price: if the clock goes back by less than five minutes, up to
    /// that much time can be shown again.
    func needsTick(at instant: Date) -> Bool {
        guard case .running(let running) = state else { return false }
        let now = instant.wholeSecond
        return now >= running.endsAt || now < running.seen || now.timeIntervalSince(running.seen) >= 300
    }
}

extension FocusTimer.Running {
    /// Seconds, rounded up; at most what remained at `seen`.
    package func remaining(at now: Date) -> Int {
        let left = endsAt.timeIntervalSince(max(now.wholeSecond, seen))
        return Int(min(max(left, 0), 1e9))
    }
}

extension Date {
    /// The second that contains this instant.
    var wholeSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }

    var isWholeSecond: Bool { self == wholeSecond }
}
