import Foundation
import Policy
import Synchronization
import Testing

@testable import SleepInducer

/// A machine without a battery wakes up in the past (design.md, "The house").
@Suite struct MachineClockTests {
    @Test func aClockThatIsBehindCountsAsTheLastKnownInstant() {
        let last = MachineClock.instant().addingTimeInterval(3600)
        let clock = MachineClock.wall(notBefore: last, isSynchronised: { false })
        let first = clock.now()
        let second = clock.now()
        #expect(first >= last && second >= first)
        #expect(second.timeIntervalSince(last) < 60, "it goes on from there")
    }

    @Test func untilTheKernelSaysThatItIsSynchronised() {
        let isSynchronised = Mutex(false)
        let last = MachineClock.instant().addingTimeInterval(3600)
        let clock = MachineClock.wall(notBefore: last, isSynchronised: { isSynchronised.withLock { $0 } })
        #expect(clock.now() >= last)
        isSynchronised.withLock { $0 = true }
        #expect(clock.now() < last)
        isSynchronised.withLock { $0 = false }
        #expect(clock.now() < last, "once right, it is not held again")
    }

    @Test func aClockThatIsAheadIsBelieved() {
        let clock = MachineClock.wall(
            notBefore: MachineClock.instant().addingTimeInterval(-3600), isSynchronised: { false })
        #expect(abs(clock.now().timeIntervalSince(MachineClock.instant())) < 5)
    }

    @Test(arguments: [(3600.0, Duration.seconds(1)), (0.25, .milliseconds(250)), (0, .zero), (-5, .zero)])
    func sleepsAreASecondAtMost(ahead: TimeInterval, nap: Duration) {
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        #expect(MachineClock.nap(until: now.addingTimeInterval(ahead), from: now) == nap)
    }
}
