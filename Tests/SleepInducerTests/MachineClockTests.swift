import Foundation
import Policy
import Synchronization
import Testing

@testable import SleepInducer

@Suite struct MachineClockTests {
    /// A machine without a battery wakes up in the past (design.md, "The house").
    @Test func aClockThatIsBehindCountsAsTheLastKnownInstant() {
        let isSynchronised = Mutex(false)
        let last = MachineClock.instant().addingTimeInterval(3600)
        let clock = SteadyClock(
            start: nil, notBefore: last, isSynchronised: { isSynchronised.withLock { $0 } },
            isHeld: { false }
        ).wall
        let first = clock.now()
        let second = clock.now()
        #expect(abs(first.timeIntervalSince(last)) < 60 && second >= first, "it goes on from there")
        isSynchronised.withLock { $0 = true }
        #expect(clock.now() < last - 60)
    }

    @Test(arguments: [
        (3600.0, Duration.milliseconds(400)), (1, .seconds(1)), (0.75, .milliseconds(750)), (0, .zero),
        (-5, .zero),
    ])
    func sleepsAreASecondAtMost(ahead: TimeInterval, nap: Duration) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(
            MachineClock.nap(until: now.addingTimeInterval(ahead), from: now, pulse: .milliseconds(400))
                == nap)
    }
}
