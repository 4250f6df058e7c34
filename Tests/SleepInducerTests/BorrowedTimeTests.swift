import Foundation
import Synchronization
import Testing

@testable import SleepInducer

struct BorrowedTimeTests {
    /// A machine whose clock is an hour ahead of the truth, and may be set right.
    private final class Machine: Sendable {
        let state = Mutex((ahead: 3600.0, uptime: 100.0, isSynchronised: false))
        static let truth = Date(timeIntervalSince1970: 1_800_000_000)

        var time: BorrowedTime {
            BorrowedTime(
                reading: {
                    self.state.withLock { ($0.uptime + Self.truth.addingTimeInterval($0.ahead), $0.uptime) }
                },
                isSynchronised: { self.state.withLock { $0.isSynchronised } })
        }
    }

    @Test func aMachineWithoutNTPGoesByTheClockOfOneThatHasIt() {
        let machine = Machine()
        let time = machine.time
        #expect(time.reading.clock == Machine.truth + 3700 && !time.isSynchronised, "nobody told its time")
        time.hear(Machine.truth + 100)
        #expect(time.reading.clock == Machine.truth + 100 && time.isSynchronised)
        machine.state.withLock { $0.uptime = 160 }
        #expect(time.reading.clock == Machine.truth + 160, "it goes on by uptime")
        machine.state.withLock { $0.ahead = -7200 }
        #expect(time.reading.clock == Machine.truth + 160, "however its own clock is set")
    }

    @Test(arguments: [60.0, 7200, 172_800]) func anOldRecordOfAMemberDoesNotSetTheClock(_ age: Double) {
        let machine = Machine()
        let time = machine.time
        time.hear(Machine.truth + 100)
        for uptime in stride(from: 100.0, through: 1000, by: 60) {
            machine.state.withLock { $0.uptime = uptime }
            // Several can be held up together; the last of them is as old as the first.
            time.hear(Machine.truth + (100 - age))
            time.hear(Machine.truth + (105 - age))
            time.hear(Machine.truth + (165 - age))
            #expect(time.reading.clock == Machine.truth + uptime)
        }
        time.hear(Machine.truth + 1000)
        #expect(time.reading.clock == Machine.truth + 1000)
    }

    @Test func aMemberWhoseClockWasSetIsFollowedWithItsNextWord() {
        let machine = Machine()
        let time = machine.time
        time.hear(Machine.truth + 100)
        machine.state.withLock { $0.uptime = 160 }
        time.hear(Machine.truth - 7040)
        #expect(time.reading.clock == Machine.truth + 160)
        machine.state.withLock { $0.uptime = 220 }
        time.hear(Machine.truth - 6980)
        #expect(time.reading.clock == Machine.truth - 6980)
    }

    @Test func aMachineGoesByItsOwnClockWhereThatIsRight() {
        let machine = Machine()
        let time = machine.time
        time.hear(Machine.truth + 100)
        machine.state.withLock { $0.isSynchronised = true }
        #expect(time.reading.clock == Machine.truth + 3700 && time.isSynchronised)
        machine.state.withLock { ($0.isSynchronised, $0.ahead) = (false, 1.5) }
        #expect(
            time.reading.clock == Machine.truth + 101.5 && !time.isSynchronised, "a second is no difference")
    }
}

private func + (uptime: Double, date: Date) -> Date { date.addingTimeInterval(uptime) }
