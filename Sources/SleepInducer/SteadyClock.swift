import Foundation
import Policy
import Synchronization

/// The household's wall clock: the machine's, as far as `SteadyTime` believes it.
final class SteadyClock: Sendable {
    private let time: Mutex<SteadyTime>
    private let reading: @Sendable () -> (clock: Date, uptime: TimeInterval)
    private let isSynchronised: @Sendable () -> Bool
    private let isHeld: @Sendable () -> Bool

    /// - Parameters:
    ///   - start: when this boot began, as an earlier process noted it; nil: none did.
    ///   - last: the latest noted instant; nil on a first start.
    ///   - isSynchronised: whether the kernel calls the clock synchronised.
    ///   - isHeld: whether something runs that no jump may end (`Household.holdsTime`).
    init(
        start: Date?, notBefore last: Date?,
        reading: @escaping @Sendable () -> (clock: Date, uptime: TimeInterval) = MachineClock.reading,
        isSynchronised: @escaping @Sendable () -> Bool, isHeld: @escaping @Sendable () -> Bool
    ) {
        time = Mutex(
            SteadyTime(start: start?.timeIntervalSince1970, notBefore: last, uptime: reading().uptime))
        self.reading = reading
        self.isSynchronised = isSynchronised
        self.isHeld = isHeld
    }

    /// When this boot began by the believed time, for a later process; nil: nobody asked for the time yet.
    var start: Date? { time.withLock { $0.start }.map(Date.init(timeIntervalSince1970:)) }

    var wall: WallClock {
        WallClock(
            now: { self.now() },
            sleep: { instant in
                let nap = MachineClock.nap(until: instant, from: self.now())
                try? await HouseThread.shared.sleep(for: nap)
            })
    }

    private func now() -> Date {
        let (isHeld, isSynchronised) = (isHeld(), isSynchronised())
        return time.withLock { time in
            let (clock, uptime) = reading()
            return time.now(clock, uptime: uptime, isSynchronised: isSynchronised, isHeld: isHeld)
        }
    }
}
