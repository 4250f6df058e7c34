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
        guard case .running(let running) = state, running.isDue(at: now) else { return nil }
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
        guard running.machine == nil else { return running.isDue(at: instant) }
        let now = instant.wholeSecond
        return now >= running.endsAt || now < running.seen || now.timeIntervalSince(running.seen) >= 300
    }
}

extension FocusTimer.Running {
    /// For how many seconds after its end a timer that another machine counts waits to be ended there.
    private static let patience: TimeInterval = 60

    fileprivate func isDue(at now: Date) -> Bool {
        now.wholeSecond >= endsAt.addingTimeInterval(machine == nil ? 0 : Self.patience)
    }

    /// Seconds, rounded up; at most what remained at `seen`. Until another machine ends what it counts, one is left.
    package func remaining(at now: Date) -> Int {
        let left = endsAt.timeIntervalSince(max(now.wholeSecond, seen))
        return Int(min(max(left, machine == nil ? 0 : 1), 1e9))
    }
}

extension FocusTimer {
    /// The same timer as other machines hear of it from the one that counts it. That time passes is nothing new to them.
    package func told(by machine: Int) -> FocusTimer {
        guard case .running(var running) = state else { return self }
        running.machine = machine
        running.seen = running.since
        return FocusTimer(totalSeconds: totalSeconds, state: .running(running)) ?? self
    }

    /// The same timer as another machine counts it, by a clock that is some seconds ahead of the one that its instants
    /// are of. A timer that does not run is the same everywhere.
    package func counted(by machine: Int?, ahead seconds: TimeInterval = 0) -> FocusTimer {
        guard case .running(var running) = state else { return self }
        running.machine = machine
        let shift = seconds.rounded()
        running.start += shift
        running.since += shift
        running.endsAt += shift
        running.seen += shift
        return FocusTimer(totalSeconds: totalSeconds, state: .running(running)) ?? self
    }
}

extension Date {
    /// The second that contains this instant.
    var wholeSecond: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }

    var isWholeSecond: Bool { self == wholeSecond }
}
