import Foundation
import Policy

/// A schedule in one line, from the form's own texts; `schedule.js` says the same.
package enum ScheduleSummary {
    /// `Every night 22:00–07:00 · 9 h`; empty when the times cannot be read.
    package static func text(start: String, end: String, days: Set<String>) -> String {
        guard let from = minutes(start), let to = minutes(end), from != to else { return "" }
        let length = ClockFace.span(minutes: (to - from + 1440) % 1440)
        return "\(nights(days)) \(start)–\(end) · \(length)"
    }

    /// Whether a time field can hold the text.
    package static func isTime(_ text: String) -> Bool { minutes(text) != nil }

    private static func nights(_ days: Set<String>) -> String {
        let order = Weekday.allCases.map(\.rawValue)
        let chosen = order.filter(days.contains)
        switch chosen {
        case []: return "No night"
        case order: return "Every night"
        case ["mon", "tue", "wed", "thu", "fri"]: return "Monday to Friday"
        case ["sun", "mon", "tue", "wed", "thu"], ["mon", "tue", "wed", "thu", "sun"]:
            return "Sunday to Thursday"
        case ["sat", "sun"]: return "Saturday and Sunday"
        case ["fri", "sat"]: return "Friday and Saturday"
        default: return chosen.map(\.capitalized).joined(separator: ", ")
        }
    }

    /// Of `HH:MM`, 00:00 to 23:59.
    private static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":")
        guard text.utf8.count == 5, parts.count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]),
            (0..<24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
