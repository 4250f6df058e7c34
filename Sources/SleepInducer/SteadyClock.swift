import Foundation
import Policy
import Synchronization

/// A wall clock on which no strict session ends early because somebody set the machine's (`SteadyTime`).
final class SteadyClock: Sendable {
    private let machine: WallClock
    private let time: Mutex<SteadyTime>
    private let uptime: @Sendable () -> TimeInterval
    private let isSynchronised: @Sendable () -> Bool
    private let isHeld: @Sendable () -> Bool

    /// - Parameters:
    ///   - start: when this boot began, as an earlier process knew it; nil: none did.
    ///   - isHeld: whether a strict session runs.
    init(
        _ machine: WallClock, start: Date?,
        uptime: @escaping @Sendable () -> TimeInterval = MachineClock.uptime,
        isSynchronised: @escaping @Sendable () -> Bool, isHeld: @escaping @Sendable () -> Bool
    ) {
        self.machine = machine
        time = Mutex(SteadyTime(start: start?.timeIntervalSince1970))
        self.uptime = uptime
        self.isSynchronised = isSynchronised
        self.isHeld = isHeld
    }

    /// When this boot began by what is believed, for a later process; nil: nobody asked for the time yet.
    var start: Date? { time.withLock { $0.start }.map(Date.init(timeIntervalSince1970:)) }

    var wall: WallClock {
        WallClock(
            now: { self.now() },
            sleep: { instant in
                // As long by the machine's clock, whatever that says.
                await self.machine.sleep(self.machine.now() + instant.timeIntervalSince(self.now()))
            })
    }

    private func now() -> Date {
        let (isHeld, isSynchronised) = (isHeld(), isSynchronised())
        return time.withLock { time in
            let uptime = uptime()
            return time.now(machine.now(), uptime: uptime, isSynchronised: isSynchronised, isHeld: isHeld)
        }
    }
}
