import Policy

/// A schedule in one line, from the form's own texts; `schedule.js` says the same.
package enum ScheduleSummary {
    /// Times as in the form, and the weekdays to which they apply.
    package struct Times {
        package var start: String
        package var end: String
        package var days: Set<String>

        package init(start: String, end: String, days: Set<String>) {
            self.start = start
            self.end = end
            self.days = days
        }
    }

    /// `Every night 22:00–07:00 · 9 h`, with other times `Sunday to Thursday 22:00–07:00 · 9 h; Friday and Saturday
    /// 23:00–08:00 · 9 h`; empty if a time cannot be read. Of two exceptions for a night, the first counts.
    package static func text(_ usual: Times, exceptions: [Times] = []) -> String {
        var left = usual.days
        let others = exceptions.map { other in
            defer { left.subtract(other.days) }
            return Times(start: other.start, end: other.end, days: other.days.intersection(left))
        }.filter { !$0.days.isEmpty }
        let rest = Times(start: usual.start, end: usual.end, days: left)
        let parts = (left.isEmpty && !others.isEmpty ? [] : [rest]) + others
        let lines = parts.compactMap(line)
        return lines.count == parts.count ? lines.joined(separator: "; ") : ""
    }

    private static func line(_ times: Times) -> String? {
        guard let from = TimeOfDay(times.start), let to = TimeOfDay(times.end), from != to else { return nil }
        let length = span(minutes: (to.minuteOfDay - from.minuteOfDay + 1440) % 1440)
        return "\(nights(times.days)) \(from.text)–\(to.text) · \(length)"
    }

    private static func nights(_ days: Set<String>) -> String {
        switch Weekday.allCases.filter({ days.contains($0.rawValue) }) {
        case []: "No night"
        case Weekday.allCases: "Every night"
        case [.mon, .tue, .wed, .thu, .fri]: "Monday to Friday"
        case [.mon, .tue, .wed, .thu, .sun]: "Sunday to Thursday"
        case [.sat, .sun]: "Saturday and Sunday"
        case [.fri, .sat]: "Friday and Saturday"
        case let chosen: chosen.map(\.short).joined(separator: ", ")
        }
    }

    /// `9 h`, `8 h 30 min`, `30 min`.
    private static func span(minutes: Int) -> String {
        [minutes >= 60 ? "\(minutes / 60) h" : nil, minutes % 60 > 0 ? "\(minutes % 60) min" : nil]
            .compactMap { $0 }.joined(separator: " ")
    }
}
