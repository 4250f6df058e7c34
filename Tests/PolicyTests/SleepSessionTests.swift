import Foundation
import Testing

@testable import Policy

@Suite struct SleepSessionTests {
    private let start = at("2026-11-20T22:00:00Z")

    private func session(seconds: TimeInterval) -> SleepSession {
        SleepSession(
            id: UUID(), mode: .manual(durationMinutes: 1), strictness: .flexible, startedAt: start,
            endsAt: start.addingTimeInterval(seconds), allowed: AppSelection())
    }

    @Test("SI-069, SI-194: two hours, flexible")
    func manual() {
        let allowed = AppSelection(apps: ["whatsapp"])
        let id = UUID()
        let made = SleepSession.manual(
            id: id, durationMinutes: 120, strictness: .flexible, at: start, allowed: allowed)
        #expect(made.id == id && made.startedAt == start && made.endsAt == start.addingTimeInterval(7_200))
        #expect(made.isActive && made.mode == .manual(durationMinutes: 120) && made.strictness == .flexible)
        #expect(made.allowed == allowed && made.night == nil && made.cancelsAt == nil)
    }

    @Test("SI-125: the durations, in their order")
    func durations() { #expect(SleepSession.durations == [30, 60, 120, 240, 360, 480]) }

    @Test("SI-067: expired at its end, not a moment before")
    func expiry() {
        let made = session(seconds: 60)
        #expect(made.isRunning(at: start) && made.isRunning(at: start.addingTimeInterval(59.999)))
        #expect(!made.isRunning(at: start.addingTimeInterval(60)))
        #expect(!made.isRunning(at: start.addingTimeInterval(61)))
    }

    @Test(
        "SI-066: remaining seconds are rounded up and never negative",
        arguments: [(0.0, 60), (0.4, 60), (1, 59), (59, 1), (59.5, 1), (60, 0), (61, 0), (1e9, 0), (-5, 65)])
    func remaining(_ after: TimeInterval, _ seconds: Int) {
        let now = start.addingTimeInterval(after)
        #expect(Countdown.wholeSeconds(from: now, to: session(seconds: 60).endsAt) == seconds)
    }

    @Test("SI-148: a cancel counts from 30, wherever the clock stands")
    func cancelCountsFrom30() {
        var random = Generator(seed: 4)
        for _ in 0..<2_000 {
            let now = start.addingTimeInterval(Double.random(in: 0...1e8, using: &random))
            var made = session(seconds: 1e9)
            #expect(made.cancelRemaining(at: now) == nil)
            made.cancelsAt = now.addingTimeInterval(SleepSession.cancelDelay)
            #expect(made.cancelRemaining(at: now) == 30)
            #expect(made.cancelRemaining(at: now.addingTimeInterval(0.5)) == 30)
            #expect(made.cancelRemaining(at: now.addingTimeInterval(1)) == 29)
            #expect(made.cancelRemaining(at: now.addingTimeInterval(40)) == 0)
            // Stored instants are whole milliseconds.
            let stored = (made.cancelsAt!.timeIntervalSince1970 * 1_000).rounded() / 1_000
            made.cancelsAt = Date(timeIntervalSince1970: stored)
            #expect(made.cancelRemaining(at: now) == 30)
        }
    }

    @Test(
        "SI-068: the whole duration",
        arguments: [
            (1_800.0, "30m"), (3_600, "1h"), (5_400, "1h 30m"), (7_200, "2h"), (28_800, "8h"), (32_400, "9h"),
            (30_600, "8h 30m"), (0, "0m"), (-5, "0m"), (3_599.9999, "1h"),
        ])
    func duration(_ seconds: TimeInterval, _ text: String) {
        #expect(session(seconds: seconds).durationFormatted == text)
    }

    @Test(
        "SI-165, SI-167: H:MM:SS, under an hour MM:SS",
        arguments: [
            (3_600, "1:00:00"), (3_599, "59:59"), (59, "00:59"), (0, "00:00"), (-1, "00:00"),
            (7_199, "1:59:59"),
            (36_000, "10:00:00"), (60, "01:00"), (28_800, "8:00:00"),
        ])
    func countdown(_ seconds: Int, _ text: String) { #expect(Countdown.text(seconds: seconds) == text) }

    @Test("SI-040 to SI-046: the modes, in their order and words")
    func strictness() {
        #expect(StrictnessMode.allCases == [.strict, .flexible])
        #expect(StrictnessMode.allCases.map(\.rawValue) == ["strict", "flexible"])
        #expect(StrictnessMode.allCases.map(\.displayName) == ["Strict", "Flexible"])
        #expect(
            StrictnessMode.allCases.map(\.description) == [
                "Cannot cancel until time is up", "Cancel with a 30-second delay",
            ])
        #expect(StrictnessMode(rawValue: "Strict") == nil)
    }
}
