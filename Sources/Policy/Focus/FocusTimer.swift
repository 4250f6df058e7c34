package import Foundation

/// The focus timer: a strict state machine, computed from instants and never counted.
///
/// Its instants are whole seconds. The end is stored as an instant, so that a restart does not stop the timer.
/// `seen` is stored beside it, so that the remaining time never grows when the clock goes back.
package struct FocusTimer: Hashable, Sendable {
    /// Possible totals, in seconds; people choose whole minutes (`Preset`).
    package static let totals = 1...Preset.range.upperBound * 60

    package enum State: Hashable, Sendable {
        /// `remaining` is the total, except in an imported state.
        case idle(remaining: Int)
        case running(Running)
        case paused(Paused)
    }

    package struct Running: Hashable, Sendable {
        package let session: UUID
        package var start: Date
        /// When it was last started or resumed.
        package var since: Date
        package var endsAt: Date
        /// The last instant that it was told; the time that remained then is an upper bound from then on.
        package var seen: Date
        /// The other machine that counts it and ends it; nil: this one does.
        package var machine: Int?

        package init(
            session: UUID, start: Date, since: Date, endsAt: Date, seen: Date, machine: Int? = nil
        ) {
            self.session = session
            self.start = start
            self.since = since
            self.endsAt = endsAt
            self.seen = seen
            self.machine = machine
        }
    }

    package struct Paused: Hashable, Sendable {
        package let session: UUID
        package var start: Date
        package var since: Date
        package var remaining: Int

        package init(session: UUID, start: Date, since: Date, remaining: Int) {
            self.session = session
            self.start = start
            self.since = since
            self.remaining = remaining
        }
    }

    package private(set) var totalSeconds: Int
    package private(set) var state: State

    /// Idle, with the whole length remaining.
    package init(_ preset: Preset = .standard) {
        totalSeconds = preset.seconds
        state = .idle(remaining: preset.seconds)
    }

    /// Restores a stored timer; nil if no timer can be in this state.
    package init?(totalSeconds: Int, state: State) {
        guard Self.totals.contains(totalSeconds) else { return nil }
        let isPossible =
            switch state {
            case .idle(let remaining): (1...totalSeconds).contains(remaining)
            case .paused(let paused): (1...totalSeconds).contains(paused.remaining)
            case .running(let running):
                [running.start, running.since, running.endsAt, running.seen].allSatisfy(\.isWholeSecond)
                    && running.start <= running.since && running.since <= running.seen
                    && running.seen < running.endsAt
                    && running.seen.addingTimeInterval(TimeInterval(totalSeconds)) >= running.endsAt
            }
        guard isPossible else { return nil }
        self.totalSeconds = totalSeconds
        self.state = state
    }

    package enum Move: Hashable, Sendable {
        case setLength(Preset)
        /// With the id for a new session, if one begins.
        case start(session: UUID)
        case pause, resume
        case stop(save: Bool)
        /// Time passes.
        case tick
    }

    package enum Effect: Hashable, Sendable {
        case haptic(Haptic)
        /// To be written to the history.
        case finished(FocusSession)
    }
    package enum Haptic: String, Codable, Sendable {
        /// Started, resumed.
        case strong
        /// Paused, stopped.
        case soft
        /// Came to 0.
        case finish
    }

    package struct Outcome: Hashable, Sendable {
        package var effects: [Effect] = []
        /// Why the move was refused; time has passed all the same.
        package var refusal: Refusal?
    }

    /// Makes a move. What fell due before is completed first, so that nobody pauses a timer that has ended.
    package mutating func apply(_ move: Move, at instant: Date) -> Outcome {
        let now = instant.wholeSecond
        var outcome = Outcome(effects: tick(at: now))
        switch (move, state) {
        case (.tick, _): break
        case (.setLength(let preset), .idle): self = FocusTimer(preset)
        case (.setLength(let preset), .paused):
            // Time run with the old length does not count towards the new one: it ends as with a stop.
            outcome.effects += stop(save: true, at: now)
            self = FocusTimer(preset)
        case (.start(let session), .idle(let remaining)):
            outcome.effects.append(run(session, from: now, at: instant, remaining: remaining))
        case (.start, .paused(let paused)), (.resume, .paused(let paused)):
            outcome.effects.append(
                run(paused.session, from: min(paused.start, now), at: instant, remaining: paused.remaining))
        case (.pause, .running(let running)):
            state = .paused(
                Paused(
                    session: running.session, start: running.start, since: now,
                    remaining: running.remaining(at: now)))
            outcome.effects.append(.haptic(.soft))
        case (.stop(let save), .running), (.stop(let save), .paused):
            outcome.effects += stop(save: save, at: now)
        case (.setLength, .running), (.start, .running): outcome.refusal = .focusRunning
        case (.pause, _), (.stop, .idle): outcome.refusal = .focusNotRunning
        case (.resume, _): outcome.refusal = .focusNotPaused
        }
        return outcome
    }

    /// Ends a second later at the earliest: the last second of a pause is a whole one, in whichever part of a
    /// second it goes on.
    private mutating func run(_ session: UUID, from start: Date, at instant: Date, remaining: Int) -> Effect {
        let now = instant.wholeSecond
        let begin = remaining == 1 && instant > now ? now.addingTimeInterval(1) : now
        state = .running(
            Running(
                session: session, start: start, since: begin,
                endsAt: begin.addingTimeInterval(TimeInterval(remaining)), seen: begin))
        return .haptic(.strong)
    }
    private mutating func stop(save: Bool, at now: Date) -> [Effect] {
        let session = save ? unfinished(at: now) : nil
        state = .idle(remaining: totalSeconds)
        return [.haptic(.soft)] + (session.map { [.finished($0)] } ?? [])
    }

    /// Completes the session at its true end, once: the new state has no trace of it.
    private mutating func tick(at now: Date) -> [Effect] {
        guard case .running(var running) = state else { return [] }
        if let session = completion(at: now) {
            state = .idle(remaining: totalSeconds)
            return [.haptic(.finish), .finished(session)]
        }
        guard running.machine == nil else { return [] }
        // What began with the next whole second is seen a second ahead at most.
        if running.seen.timeIntervalSince(now) > 1 {
            running.endsAt = now.addingTimeInterval(running.endsAt.timeIntervalSince(running.seen))
            running.since = min(running.since, now)
            running.start = min(running.start, now)
            running.seen = now
        }
        running.seen = max(running.seen, now)
        state = .running(running)
        return []
    }
}
