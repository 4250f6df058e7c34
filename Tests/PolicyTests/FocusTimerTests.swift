import Foundation
import Testing

@testable import Policy

@Suite struct FocusTimerTests {
    private let ten = at("2026-11-20T10:00:00Z")
    private var timer = FocusTimer()

    private mutating func go(_ move: FocusTimer.Move, _ seconds: TimeInterval) -> FocusTimer.Outcome {
        timer.apply(move, at: ten + seconds)
    }

    @Test("MF-024, MF-029, MF-035: start runs from what remains, with a strong pulse, on the whole second")
    mutating func start() {
        #expect(timer.totalSeconds == 1_500 && timer.remaining(at: ten) == 1_500)
        let outcome = go(.start(session: sessionID(1)), 0.7)
        #expect(outcome == FocusTimer.Outcome(effects: [.haptic(.strong)]))
        #expect(timer.isRunning && !timer.isPaused && timer.endsAt == ten + 1_500)
        #expect(timer.remaining(at: ten + 0.7) == 1_500)
        #expect(timer.remaining(at: ten + 1) == 1_499, "MF-007: computed, with no tick between")
        #expect(timer.remaining(at: ten + 1_499.9) == 1 && timer.remaining(at: ten + 9_999) == 0)
        #expect(timer.progress(at: ten + 375) == 0.25)
    }

    @Test("MF-025, MF-026, MF-036, C-29: a pause keeps the time, a resume goes on; soft pulse, then strong")
    mutating func pause() {
        _ = go(.start(session: sessionID(1)), 0)
        #expect(go(.pause, 100).effects == [.haptic(.soft)])
        #expect(timer.isPaused && !timer.isRunning && timer.endsAt == nil)
        #expect(timer.remaining(at: ten + 5_000) == 1_400)
        #expect(go(.resume, 5_000).effects == [.haptic(.strong)])
        #expect(timer.isRunning && timer.endsAt == ten + 6_400)
    }

    @Test(
        "MF-088, A-12, MF-016: at 0 it is saved once, completed, at its true end; then it is idle with the whole length"
    )
    mutating func completes() {
        _ = go(.start(session: sessionID(1)), 0)
        _ = go(.pause, 100)
        _ = go(.resume, 200)
        #expect(go(.tick, 1_599.9).effects == [] && timer.remaining(at: ten + 1_599.9) == 1)
        let late = go(.tick, 90_000)
        let session = FocusSession(
            id: sessionID(1), start: ten, end: ten + 1_600, durationSeconds: 1_500, presetLabel: "25m",
            completed: true)
        #expect(late.effects == [.haptic(.finish), .finished(session)], "A-11: its start is the first one")
        #expect(timer == FocusTimer(), "MF-027: remaining = total")
        #expect(go(.tick, 90_001).effects == [])
    }

    @Test("MF-027, MF-086, A-11: a stop saves what elapsed, without the pauses")
    mutating func stop() {
        _ = go(.start(session: sessionID(1)), 0)
        _ = go(.pause, 300)
        _ = go(.resume, 900)
        let outcome = go(.stop(save: true), 960.5)
        let session = FocusSession(
            id: sessionID(1), start: ten, end: ten + 960, durationSeconds: 360, presetLabel: "25m",
            completed: false)
        #expect(outcome.effects == [.haptic(.soft), .finished(session)])
        #expect(timer == FocusTimer())
    }

    @Test("A stop during a pause ends the session where the pause began; MF-087: a discard writes nothing")
    mutating func stopPaused() {
        _ = go(.start(session: sessionID(1)), 0)
        _ = go(.pause, 300)
        #expect(go(.stop(save: true), 40_000).finished.map(\.end) == [ten + 300])
        _ = go(.start(session: sessionID(2)), 50_000)
        #expect(go(.stop(save: false), 50_010).effects == [.haptic(.soft)])
        #expect(timer == FocusTimer())
    }

    @Test("MF-086: a stop in the second of its start is saved as well")
    mutating func stopAtOnce() {
        _ = go(.start(session: sessionID(1)), 0)
        #expect(go(.stop(save: true), 0.5).finished.map(\.durationSeconds) == [0])
    }

    @Test("MF-023, MF-033: a length sets total and remaining, and starts nothing")
    mutating func setLength() {
        #expect(go(.setLength(Preset(minutes: 45)!), 0).effects == [])
        #expect(timer.state == .idle(remaining: 2_700) && timer.totalSeconds == 2_700)
    }

    @Test("MF-086: a new length in a pause saves the paused session, as a stop does")
    mutating func setLengthPaused() {
        _ = go(.setLength(Preset(minutes: 45)!), 0)
        _ = go(.start(session: sessionID(1)), 0)
        _ = go(.pause, 1_200)
        let saved = FocusSession(
            id: sessionID(1), start: ten, end: ten + 1_200, durationSeconds: 1_200, presetLabel: "45m",
            completed: false)
        #expect(go(.setLength(.standard), 1_300).effects == [.haptic(.soft), .finished(saved)])
        #expect(timer == FocusTimer() && go(.stop(save: true), 1_310).refusal == .focusNotRunning)
        _ = go(.start(session: sessionID(2)), 1_400)
        #expect(go(.tick, 2_900).finished.map(\.start) == [ten + 1_400], "A-18: none of the old one is in it")
    }

    @Test("MF-021, MF-028: a move that does not fit the state is refused and changes nothing")
    func illegal() {
        let idle = FocusTimer()
        var running = idle
        _ = running.apply(.start(session: sessionID(1)), at: ten)
        var paused = running
        _ = paused.apply(.pause, at: ten)
        let other = FocusTimer.Move.start(session: sessionID(2))
        let refused: [(FocusTimer, FocusTimer.Move, Refusal)] = [
            (idle, .pause, .focusNotRunning), (idle, .resume, .focusNotPaused),
            (idle, .stop(save: true), .focusNotRunning), (idle, .stop(save: false), .focusNotRunning),
            (running, .setLength(.standard), .focusRunning), (running, other, .focusRunning),
            (running, .resume, .focusNotPaused), (paused, .pause, .focusNotRunning),
        ]
        for (timer, move, refusal) in refused {
            var moved = timer
            #expect(moved.apply(move, at: ten) == FocusTimer.Outcome(refusal: refusal), "\(move)")
            #expect(moved == timer)
            #expect(!refusal.isAboutInput, "409")
        }
        let legal = 3 * FocusTimer.Move.all(session: sessionID(2)).count - refused.count - 1
        var made = 0
        for timer in [idle, running, paused] {
            for move in FocusTimer.Move.all(session: sessionID(2)) {
                var moved = timer
                if moved.apply(move, at: ten).refusal == nil { made += 1 }
            }
        }
        #expect(made == legal, "and nothing else is; two lengths count as one refusal")
    }

    @Test("A pause at the very end comes too late: the timer has completed")
    mutating func pauseAtTheEnd() {
        _ = go(.start(session: sessionID(1)), 0)
        let outcome = go(.pause, 1_500)
        #expect(outcome.refusal == .focusNotRunning && outcome.finished.map(\.completed) == [true])
    }

    @Test("MF-042: the last second of a pause lasts a second, in whichever part of a second it goes on")
    mutating func lastSecond() {
        for part in [0.0, 0.2, 0.9] {
            timer = FocusTimer()
            _ = go(.start(session: sessionID(1)), 0)
            _ = go(.pause, 1_499.5)
            #expect(timer.remaining(at: ten + 1_600) == 1)
            let resumed = ten + 2_000 + part
            _ = timer.apply(.resume, at: resumed)
            #expect(restarted(timer) == timer)
            #expect(timer.completion(at: resumed + 0.99) == nil)
            #expect(timer.completion(at: resumed + 2)?.durationSeconds == 1_500)
            #expect(timer.endsAt.map { (1..<2).contains($0.timeIntervalSince(resumed)) } == true)
        }
    }

    @Test("C-08: it survives a restart in every state, even beyond its end")
    mutating func restart() {
        #expect(restarted(timer) == timer)
        _ = go(.start(session: sessionID(1)), 0)
        #expect(restarted(timer) == timer)
        var later = restarted(timer)
        #expect(later.apply(.tick, at: ten + 86_400).finished.map(\.end) == [ten + 1_500])
        _ = go(.pause, 60)
        #expect(restarted(timer) == timer)
    }

    @Test("A clock that goes back gives no time back; if it goes forward again, the end is no later")
    mutating func clockBack() {
        _ = go(.start(session: sessionID(1)), 0)
        _ = go(.tick, 600)
        #expect(timer.remaining(at: ten - 3_600) == 900, "before it is told")
        _ = go(.tick, -3_600)
        #expect(timer.remaining(at: ten - 3_600) == 900 && timer.endsAt == ten - 2_700)
        var session = timer.apply(.stop(save: true), at: ten - 3_500).finished
        #expect(session.map(\.durationSeconds) == [700] && session.map(\.start) == [ten - 3_600])
        _ = go(.start(session: sessionID(2)), 0)
        _ = go(.tick, -10)
        session = go(.tick, 5_000).finished
        #expect(session.map(\.end) == [ten + 1_490])
    }

    @Test(
        "A state that no timer can have is refused",
        arguments: [
            #"{"state":"idle","total":1500,"remaining":1501}"#, #"{"state":"idle","total":0,"remaining":0}"#,
            #"{"state":"idle","total":86401,"remaining":1}"#,
            #"{"state":"sleeping","total":60,"remaining":60}"#,
            #"{"state":"paused","total":60,"remaining":0,"since":0,"session":"00000000-0000-0000-0000-000000000001"}"#,
            #"""
            {"state":"running","total":60,"start":0,"since":0,"seen":0,"endsAt":61,
             "session":"00000000-0000-0000-0000-000000000001"}
            """#,
            #"""
            {"state":"running","total":60,"start":0,"since":0,"seen":60,"endsAt":60,
             "session":"00000000-0000-0000-0000-000000000001"}
            """#,
        ])
    func impossible(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FocusTimer.self, from: Data(text.utf8))
        }
    }
}
