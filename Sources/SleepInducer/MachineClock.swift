import Foundation
import Glibc
import Policy
import Synchronization

/// The machine's clock: the one place that reads it, and the machine's zone.
enum MachineClock {
    /// The wall clock, never behind `lastInstant` until the kernel says that it is synchronised: a Pi without a
    /// battery wakes up in the past, and a night must not begin again (design.md, "The house").
    ///
    /// - Parameters:
    ///   - lastInstant: the latest instant that the store noted, nil on a first start.
    ///   - isSynchronised: what the kernel says now.
    static func wall(
        notBefore lastInstant: Date?, isSynchronised: @escaping @Sendable () -> Bool
    ) -> WallClock {
        let held = Mutex<Held?>(lastInstant.flatMap { Date() < $0 ? Held(instant: $0, at: .now) : nil })
        let now: @Sendable () -> Date = {
            held.withLock { floor in
                let machine = Date()
                guard let current = floor else { return machine }
                let counted = current.instant.addingTimeInterval(current.at.duration(to: .now) / .seconds(1))
                if machine >= counted || isSynchronised() {
                    floor = nil
                    return machine
                }
                return counted
            }
        }
        return WallClock(now: now) { instant in
            try? await Task.sleep(for: nap(until: instant, from: now()), tolerance: .milliseconds(1))
        }
    }

    /// Seconds since the machine was started, those in which it was suspended included.
    static func uptime() -> TimeInterval {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1e9
    }

    /// How long to sleep: never over a second, so that a clock that is set or a resume from suspend is noticed.
    static func nap(until instant: Date, from now: Date) -> Duration {
        .seconds(min(1, max(0, instant.timeIntervalSince(now))))
    }

    /// Time that passed since the clock was found to be behind counts from the last known instant.
    private struct Held {
        let instant: Date
        let at: ContinuousClock.Instant
    }

    /// The machine's clock as it stands, for commands that look at a household from outside.
    static func instant() -> Date { Date() }

    /// The machine's time zone by its IANA name, for a household that has not chosen one. Foundation says GMT
    /// also where the machine says UTC, which is what machines without a place are set to.
    static var zoneName: String {
        let name = TimeZone.current.identifier
        return name == "GMT" ? "UTC" : CivilZone(name)?.identifier ?? "UTC"
    }
}
