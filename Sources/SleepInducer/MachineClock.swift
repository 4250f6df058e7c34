import Foundation
import LocalNetwork
import Policy

/// The machine's clocks: the one place that reads the wall clock, and the machine's zone.
enum MachineClock {
    /// The wall clock as it is, for commands that read a household from outside.
    static func instant() -> Date { Date() }

    /// The wall clock, and the seconds since the machine was started, suspended ones included.
    static func reading() -> (clock: Date, uptime: TimeInterval) {
        let uptime = ClockStatus.uptime
        return (instant(), uptime)
    }

    /// How long to sleep: to the instant if it comes within a second, else until the machine's clock shows another second.
    /// So a set clock or a resume from suspend is noticed, and all who wait for long wake up together.
    static func nap(
        until instant: Date, from now: Date, pulse: Duration = ClockStatus.untilNextSecond
    ) -> Duration {
        let left = max(0, instant.timeIntervalSince(now))
        return left <= 1 ? .seconds(left) : pulse
    }

    /// The machine's time zone by its IANA name, for a household that has not chosen one. Foundation says GMT
    /// even if the machine says UTC, which is the setting of machines without a place.
    static var zoneName: String {
        let name = TimeZone.current.identifier
        return name == "GMT" ? "UTC" : CivilZone(name)?.identifier ?? "UTC"
    }
}
