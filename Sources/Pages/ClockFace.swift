package import Foundation
package import Policy

/// How instants and times are written on pages: 24 hours, in one zone.
package struct ClockFace: Sendable {
    package let zone: TimeZone

    package init(zone: TimeZone) { self.zone = zone }

    /// `07:00`.
    package func time(_ instant: Date) -> String {
        let minutes = Self.floor(localSeconds(instant), 60)
        return Self.time(minuteOfDay: ((minutes % 1440) + 1440) % 1440)
    }

    /// `Saturday`; 1 January 1970 was a Thursday.
    package func weekday(_ instant: Date) -> String {
        Self.weekdays[((day(instant) + 3) % 7 + 7) % 7]
    }

    /// Days since 1 January 1970 on the wall's calendar.
    package func day(_ instant: Date) -> Int { Self.floor(localSeconds(instant), 86_400) }

    /// `Tonight at 22:00`, `Tomorrow at 22:00`, `Saturday at 22:00`, for a bedtime to come.
    ///
    /// The small hours before 04:00 still belong to the night of the day before.
    package func coming(_ instant: Date, from now: Date) -> String {
        let nights = day(instant.addingTimeInterval(-4 * 3600)) - day(now.addingTimeInterval(-4 * 3600))
        switch nights {
        case ...0: return "Tonight at \(time(instant))"
        case 1: return "Tomorrow at \(time(instant))"
        default: return "\(weekday(instant.addingTimeInterval(-4 * 3600))) at \(time(instant))"
        }
    }

    /// ISO 8601 in UTC to the second, as the contract writes instants.
    package static func iso(_ instant: Date) -> String {
        instant.formatted(.iso8601)
    }

    /// `22:00`.
    package static func time(_ time: TimeOfDay) -> String {
        self.time(minuteOfDay: time.hour * 60 + time.minute)
    }

    /// `1:00:00`, `59:59`, `00:59`, `00:00` (SI-167).
    package static func countdown(_ seconds: Int) -> String {
        let seconds = max(0, seconds)
        let rest = "\(two(seconds / 60 % 60)):\(two(seconds % 60))"
        return seconds >= 3600 ? "\(seconds / 3600):\(rest)" : rest
    }

    /// `9 h`, `8 h 30 min`, `30 min`.
    package static func span(minutes: Int) -> String {
        let parts = [
            minutes >= 60 ? "\(minutes / 60) h" : nil, minutes % 60 > 0 ? "\(minutes % 60) min" : nil,
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }

    /// `2h`, `30m`, `1h 30m` (SI-068).
    package static func duration(seconds: Int) -> String {
        let minutes = (seconds + 59) / 60
        let parts = [minutes >= 60 ? "\(minutes / 60)h" : nil, minutes % 60 > 0 ? "\(minutes % 60)m" : nil]
            .compactMap { $0 }
        return parts.isEmpty ? "0m" : parts.joined(separator: " ")
    }

    /// Whole seconds from one instant to a later one, rounded up; never negative (SI-066).
    package static func seconds(from now: Date, to end: Date) -> Int {
        max(0, Int(end.timeIntervalSince(now).rounded(.up)))
    }

    private func localSeconds(_ instant: Date) -> Int {
        Int(instant.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: instant)
    }

    private static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    private static func floor(_ value: Int, _ divisor: Int) -> Int {
        Int((Double(value) / Double(divisor)).rounded(.down))
    }

    private static func time(minuteOfDay minutes: Int) -> String {
        "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension ClockFace {
    /// `07:00`: the wake time of the night that begins at an instant, exceptions counted.
    package func end(of schedule: RecurringSchedule, startingAt start: Date) -> String {
        let evening = start.addingTimeInterval(-4 * 3600)
        let weekday = Weekday.allCases[((day(evening) + 3) % 7 + 7) % 7]
        let exception = schedule.exceptions.first { $0.days.contains(weekday) }
        return Self.time(exception?.end ?? schedule.end)
    }
}
