import Foundation
import Testing

@testable import Policy

@Suite struct SettlePropertyTests {
    /// Everything that people and DNS can see of a household; without the sessions' random ids.
    private struct Seen: Equatable {
        var sessions: [String]
        var tonight: [TonightChange?]
        var help: [Date?]
        var verdicts: [PersonID: Verdict]

        init(_ household: Household, at now: Date) {
            sessions = household.people.map { person in
                person.session.map { "\($0.mode) \($0.strictness) \($0.startedAt) \($0.due) \($0.allowed)" }
                    ?? "none"
            }
            tonight = household.people.map(\.tonight)
            help = household.devices.map(\.helpUntil)
            verdicts = household.evaluate(at: now)
        }
    }

    @Test("SI-196: settling twice equals settling once", arguments: 0..<20)
    func idempotent(_ seed: UInt64) {
        var random = Generator(seed: seed)
        for _ in 0..<30 {
            let start = random.instant()
            var household = random.household(at: start)
            let later = start.addingTimeInterval(TimeInterval(random.int(0...200_000)))
            _ = household.settle(at: later, newID: UUID.init)
            let once = household
            #expect(household.settle(at: later, newID: UUID.init).isEmpty)
            #expect(household == once)
        }
    }

    @Test("Many small steps and one jump give the same result", arguments: 0..<20)
    func orderDoesNotMatter(_ seed: UInt64) {
        var random = Generator(seed: 1_000 + seed)
        for _ in 0..<30 {
            let start = random.instant()
            let household = random.household(at: start)
            var stepped = household
            var now = start
            for _ in 0..<random.int(1...60) {
                now += TimeInterval(random.int(1...14_400))
                _ = stepped.settle(at: now, newID: UUID.init)
            }
            var jumped = household
            _ = jumped.settle(at: now, newID: UUID.init)
            #expect(Seen(stepped, at: now) == Seen(jumped, at: now), "from \(start) to \(now): \(household)")
            // Both then go on in the same way.
            for _ in 0..<8 {
                now += TimeInterval(random.int(1...40_000))
                _ = stepped.settle(at: now, newID: UUID.init)
                _ = jumped.settle(at: now, newID: UUID.init)
                #expect(
                    Seen(stepped, at: now) == Seen(jumped, at: now), "from \(start) to \(now): \(household)")
            }
        }
    }

    @Test(
        "A clock that jumps back and forth never traps and never makes up a long session", arguments: 0..<10)
    func jumpingClock(_ seed: UInt64) {
        var random = Generator(seed: 2_000 + seed)
        for _ in 0..<20 {
            var now = random.instant()
            var household = random.household(at: now)
            for _ in 0..<40 {
                now += TimeInterval(random.int(-200_000...200_000))
                let id = random.pick(household.people.map(\.id))
                random.act(on: &household, id, at: now)
                for person in household.people {
                    guard let session = person.session else { continue }
                    #expect(session.due > now && session.endsAt.timeIntervalSince(now) <= 2 * 86_400)
                    #expect(session.startedAt < session.endsAt)
                }
                #expect(household.devices.allSatisfy { ($0.helpUntil ?? now) <= now + Device.helpDuration })
            }
        }
    }
}
