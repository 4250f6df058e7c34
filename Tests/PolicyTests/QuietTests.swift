import Foundation
import Testing

@testable import Policy

/// The loop sleeps for half a minute where nothing passes by itself. It must miss nothing.
@Suite struct QuietTests {
    private struct Seen: Equatable {
        let household: Household
        let verdicts: [PersonID: Verdict]
        let jobs: [MonitoredJob]

        init(_ household: Household, _ usage: UsageTotals, at now: Date) {
            var settled = household
            _ = settled.settle(at: now, usage: usage, newID: UUID.init)
            self.household = settled
            verdicts = settled.evaluate(at: now, usage: usage)
            jobs = settled.jobs(at: now)
        }
    }

    @Test("In a time that is called quiet, no second changes anything", arguments: 0..<20)
    func missesNothing(_ seed: UInt64) {
        var random = Generator(seed: 9_000 + seed)
        var quiet = 0
        var loud = 0
        for _ in 0..<40 {
            let start = random.instant()
            var household = random.limitedHousehold(at: start)
            let usage = random.usage(of: household)
            _ = household.settle(at: start, usage: usage, newID: UUID.init)
            let dues = household.dues(at: start, usage).filter { $0 > start }
            let now =
                dues.isEmpty
                ? start : max(start, random.pick(dues).addingTimeInterval(-Double(random.int(0...45))))
            _ = household.settle(at: now, usage: usage, newID: UUID.init)
            let first = Seen(household, usage, at: now)
            guard
                household.isQuiet(
                    until: now + Household.foresight, usage: usage, verdicts: first.verdicts,
                    jobs: first.jobs)
            else {
                loud += 1
                continue
            }
            quiet += 1
            for second in 1...Int(Household.foresight) {
                #expect(Seen(household, usage, at: now + Double(second)) == first, "\(second) s after \(now)")
            }
        }
        #expect(quiet > 0 && loud > 0)
    }
}

extension Household {
    /// Instants at which something may change.
    fileprivate func dues(at now: Date, _ usage: UsageTotals) -> [Date] {
        evaluate(at: now, usage: usage).values.compactMap(\.validUntil)
            + devices.flatMap { [$0.helpUntil, $0.tryUntil].compactMap { $0 } }
            + people.flatMap { person in
                [person.session?.due, person.antiRot.override.overrideExpiresAt].compactMap { $0 }
                    + person.limits.probations.map(\.expiresAt)
            }
    }
}
