import Foundation
import Testing

@testable import Policy

/// "It must show": over every state and move, with time jumps and restarts between, there is no illegal state and no
/// double completion, and the remaining time never grows.
@Suite struct FocusWalkTests {
    private static let ten = at("2026-11-20T10:00:00Z")

    /// A state as the rules see it: without ids, and with instants relative to now.
    private struct Seen: Hashable {
        var name: String
        var total: Int
        var remaining: Int

        init(_ timer: FocusTimer, at now: Date) {
            name = timer.stateName
            total = timer.totalSeconds
            remaining = timer.remaining(at: now)
        }
    }

    /// Every step from one state, with what must hold after it, whatever came before.
    private func step(
        _ timer: FocusTimer, _ move: FocusTimer.Move, from before: Date, to now: Date, restarts: Bool
    ) -> FocusTimer {
        var next = restarts ? restarted(timer) : timer
        let outcome = next.apply(move, at: now)
        let context: Comment = "\(timer) \(move) \(now.timeIntervalSince(before))"
        // The stored state is a valid one: the state machine itself made it.
        #expect(FocusTimer(totalSeconds: next.totalSeconds, state: next.state) == next, context)
        #expect((1...next.totalSeconds).contains(next.remaining(at: now)), context)
        let shown = timer.remaining(at: before)
        switch move {
        case .setLength where outcome.refusal == nil:
            #expect(next.remaining(at: now) == next.totalSeconds, context)
        default:
            #expect(next.totalSeconds == timer.totalSeconds, context)
            if next.session == timer.session {
                #expect(next.remaining(at: now) <= shown, context)
            }
        }
        // A session is finished once: by the step after which the state has no trace of it.
        #expect(outcome.finished.count <= 1, context)
        for session in outcome.finished {
            #expect(session.id == timer.session && next.session != session.id, context)
            #expect(
                session.start <= session.end && (0...timer.totalSeconds).contains(session.durationSeconds),
                context)
            #expect(!session.completed || session.durationSeconds == timer.totalSeconds, context)
            #expect(
                !session.completed || (timer.isRunning && session.end == timer.endsAt && session.end <= now),
                context)
        }
        // It disappears only by being finished, or by a stop that discards it.
        if let session = timer.session, next.session != session, outcome.finished.isEmpty {
            let isStop = if case .stop = move { true } else { false }
            #expect(isStop, context)
        }
        if outcome.refusal != nil {
            var ticked = timer
            #expect(ticked.apply(.tick, at: now).effects == outcome.effects && ticked == next, context)
        }
        return next
    }

    @Test("All states, moves, jumps and restarts, until nothing new appears")
    func exhaustive() {
        let jumps: [TimeInterval] = [0, 0.4, 1, 2, 59, 60, 61, 86_400, -0.4, -1, -30, -61, -86_400]
        let first = FocusTimer(totalSeconds: 3, state: .idle(remaining: 2))!
        var known: Set<Seen> = [Seen(first, at: Self.ten)]
        var open: [(timer: FocusTimer, now: Date)] = [(first, Self.ten)]
        var names: Set<String> = []
        while let (timer, now) = open.popLast() {
            names.insert(timer.stateName)
            for jump in jumps {
                let later = now + jump
                for move in FocusTimer.Move.all(session: UUID()) {
                    let next = step(timer, move, from: now, to: later, restarts: true)
                    if known.insert(Seen(next, at: later)).inserted { open.append((next, later)) }
                }
            }
        }
        #expect(names == ["idle", "running", "paused"])
        // Idle: three totals and the imported ones. Running and paused: 1...3, 1...60, 1...120.
        #expect(known.filter { $0.name == "running" && $0.total == 120 }.count == 120)
        #expect(known.filter { $0.name == "paused" && $0.total == 60 }.count == 60)
        #expect(known.filter { $0.name == "idle" }.count == 4)
    }

    @Test("Long walks: no session is finished twice, however time jumps", arguments: 0..<20)
    func longWalks(_ seed: UInt64) {
        var random = Generator(seed: 40_000 + seed)
        var now = random.instant()
        var timer = FocusTimer()
        var finished: Set<UUID> = []
        var started = 0
        for _ in 0..<1_500 {
            let before = now
            now +=
                random.chance(80)
                ? Double(random.int(0...90_000)) / 1_000 : Double(random.int(-100_000...100_000))
            started += 1
            let move = random.pick(FocusTimer.Move.all(session: sessionID(started)))
            let copy = timer
            timer = step(timer, move, from: before, to: now, restarts: random.chance(20))
            var again = copy
            for session in again.apply(move, at: now).finished {
                #expect(finished.insert(session.id).inserted)
            }
        }
        #expect(finished.count > 50)
    }

    /// The same timer, counted second by second, without instants.
    private struct Counted {
        var total = 1_500
        var left = 1_500
        var state = "idle"
        var completed = 0
        var saved: [Int] = []

        mutating func second() {
            guard state == "running" else { return }
            left -= 1
            if left == 0 {
                completed += 1
                saved.append(total)
                (state, left) = ("idle", total)
            }
        }

        mutating func make(_ move: FocusTimer.Move) {
            switch move {
            case .setLength(let preset) where state != "running":
                if state == "paused" { saved.append(total - left) }
                (state, total, left) = ("idle", preset.minutes * 60, preset.minutes * 60)
            case .start where state != "running", .resume where state == "paused": state = "running"
            case .pause where state == "running": state = "paused"
            case .stop(let save) where state != "idle":
                if save { saved.append(total - left) }
                (state, left) = ("idle", total)
            default: break
            }
        }
    }

    @Test(
        "It agrees with a timer that counts every second, through restarts and downtime",
        arguments: 0..<20)
    func counted(_ seed: UInt64) {
        var random = Generator(seed: 50_000 + seed)
        let start = Self.ten + Double(random.int(0...999)) / 1_000
        var timer = FocusTimer()
        var counted = Counted()
        var saved: [Int] = []
        var isUp = true
        for second in 0..<6_000 {
            let now = start + TimeInterval(second)
            if second > 0 { counted.second() }
            if random.chance(1) { isUp.toggle() }
            guard isUp else { continue }
            if random.chance(3) { timer = restarted(timer) }
            let move = random.chance(4) ? random.pick(FocusTimer.Move.all(session: UUID())) : .tick
            let outcome = timer.apply(move, at: now)
            counted.make(move)
            saved += outcome.finished.map(\.durationSeconds)
            #expect(timer.stateName == counted.state && timer.totalSeconds == counted.total)
            #expect(timer.remaining(at: now) == counted.left, "second \(second)")
            #expect(saved == counted.saved)
        }
    }
}
