import Foundation
import LocalNetwork
import Policy

/// The machine's clocks: the one place that reads the wall clock, and the machine's zone.
enum MachineClock {
    /// The wall clock as it stands, for commands that look at a household from outside.
    static func instant() -> Date { Date() }

    /// The wall clock, and the seconds since the machine was started, those in which it was suspended included.
    static func reading() -> (clock: Date, uptime: TimeInterval) {
        let uptime = ClockStatus.uptime
        return (instant(), uptime)
    }

    /// How long to sleep: never over a second, so that a clock that is set or a resume from suspend is noticed.
    static func nap(until instant: Date, from now: Date) -> Duration {
        .seconds(min(1, max(0, instant.timeIntervalSince(now))))
    }

    /// The machine's time zone by its IANA name, for a household that has not chosen one. Foundation says GMT
    /// also where the machine says UTC, which is what machines without a place are set to.
    static var zoneName: String {
        let name = TimeZone.current.identifier
        return name == "GMT" ? "UTC" : CivilZone(name)?.identifier ?? "UTC"
    }
}
