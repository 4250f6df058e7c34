import Policy

/// A schedule in one line, from the form's own texts; `schedule.js` says the same.
package enum ScheduleSummary {
    /// `Every night 22:00–07:00 · 9 h`; empty when the times cannot be read.
    package static func text(start: String, end: String, days: Set<String>) -> String {
        guard let from = TimeOfDay(start), let to = TimeOfDay(end), from != to else { return "" }
        let length = span(minutes: (to.minuteOfDay - from.minuteOfDay + 1440) % 1440)
        return "\(nights(days)) \(start)–\(end) · \(length)"
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
