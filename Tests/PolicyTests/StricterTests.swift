import Foundation
import Testing

@testable import Policy

@Suite("Of two records of one household the stricter session holds, and a damaged one shows its end")
struct StricterTests {
    private static let now = at("2026-11-21T23:00:00Z")

    private static func session(
        _ minutes: Int, _ strictness: StrictnessMode, from start: Date = now - 600, cancelsAt: Date? = nil
    ) -> SleepSession {
        SleepSession(
            id: UUID(), mode: .manual(durationMinutes: minutes), strictness: strictness, startedAt: start,
            endsAt: start + Double(minutes) * 60, cancelsAt: cancelsAt, allowed: AppSelection(apps: ["phone"])
        )
    }

    private func stricter(_ rules: SleepSession?, _ other: SleepSession?) -> SleepSession? {
        SleepSession.stricter(rules, other, at: Self.now)
    }

    @Test("Strict beats flexible, the later end beats the earlier, a session beats none") func order() {
        let (strict, flexible) = (Self.session(60, .strict), Self.session(480, .flexible))
        #expect(stricter(flexible, strict) == strict)
        #expect(stricter(strict, flexible) == strict)
        #expect(stricter(nil, flexible) == flexible)
        #expect(stricter(flexible, nil) == flexible)
        let longer = Self.session(120, .strict)
        #expect(stricter(strict, longer) == longer)
        #expect(stricter(longer, strict) == longer)
        let cancelled = Self.session(480, .flexible, cancelsAt: Self.now + 20)
        #expect(stricter(cancelled, flexible) == flexible)
    }

    @Test("A session that is over does not count") func over() {
        let over = Self.session(60, .strict, from: Self.now - 7200)
        let flexible = Self.session(60, .flexible)
        #expect(stricter(flexible, over) == flexible)
        #expect(stricter(over, flexible) == flexible)
        #expect(stricter(nil, over) == nil)
    }

    @Test func whatARuleCanMakeIsWhole() {
        #expect(Self.session(480, .strict).isWhole)
        #expect(!Self.session(480, .strict, cancelsAt: Self.now).isWhole)
        let whole = Self.session(480, .flexible, cancelsAt: Self.now)
        #expect(whole.isWhole)
        for (end, mode) in [
            (whole.startedAt - 1, whole.mode), (whole.startedAt, whole.mode),
            (whole.endsAt + 3600, whole.mode),
            (whole.endsAt, .manual(durationMinutes: 30)), (whole.endsAt, .manual(durationMinutes: 1 << 40)),
            (whole.startedAt + 26 * 3600, Self.nightly),
        ] {
            let other = SleepSession(
                id: whole.id, mode: mode, strictness: .flexible, startedAt: whole.startedAt, endsAt: end,
                allowed: whole.allowed)
            #expect(!other.isWhole, "\(end) \(mode)")
        }
    }

    private static let nightly = ScheduleMode.recurring(
        startHour: 22, startMinute: 30, endHour: 7, endMinute: 0)
    /// 22:30, and in the middle of the night.
    private static let (bedtime, lastInstant) = (at("2026-11-21T22:30:00Z"), at("2026-11-22T02:00:00Z"))
    private static let wake = at("2026-11-22T07:00:00Z")

    @Test(
        "One flipped bit in an instant: the session ends by itself, and not before its end",
        arguments: (0..<63).map { $0 })
    func bits(bit: Int) {
        func flipped(_ date: Date) -> Date {
            Date(timeIntervalSince1970: Double(Int64(date.timeIntervalSince1970 * 1000) ^ (1 << bit)) / 1000)
        }
        for (start, end) in [(flipped(Self.bedtime), Self.wake), (Self.bedtime, flipped(Self.wake))] {
            let span = end.timeIntervalSince(start)
            let mended = SleepSession.mended(
                id: UUID(), mode: Self.nightly, strictness: nil, startedAt: start, endsAt: end,
                allowed: AppSelection(),
                night: nil,
                lastInstant: Self.lastInstant)
            #expect(mended.isWhole && mended.strictness == .strict)
            #expect(mended.endsAt <= Self.lastInstant + SleepSession.longest)
            // A shorter or longer night is still valid; only another record can show the fault.
            if !(0...SleepSession.longest).contains(span) { #expect(mended.endsAt >= Self.wake) }
        }
    }

    @Test("If the length contradicts the instants, the later end holds") func modes() {
        for minutes in [30, 480, 1 << 40, -7] {
            let mended = SleepSession.mended(
                id: UUID(), mode: .manual(durationMinutes: minutes), strictness: .flexible,
                startedAt: Self.bedtime,
                endsAt: Self.bedtime + 3600, allowed: AppSelection(), night: nil,
                lastInstant: Self.lastInstant)
            #expect(mended.isWhole)
            #expect(
                mended.endsAt >= Self.bedtime + 3600 && mended.endsAt <= Self.bedtime + SleepSession.longest)
        }
        let unknown = SleepSession.mended(
            id: UUID(), mode: nil, strictness: .flexible, startedAt: Self.bedtime, endsAt: Self.wake,
            allowed: AppSelection(),
            night: nil,
            lastInstant: nil)
        #expect(unknown.isWhole && unknown.endsAt == Self.wake)
    }
}
