import Foundation
import Pages
import Policy

/// The minutes of a limit as a form shows them: stored, or as they were typed and refused.
package struct LimitFields: Sendable {
    /// What was typed, by field name: `minutes`, `weekly`, `mon` … `sun`.
    package typealias Typed = [String: String]

    struct Day {
        let field: String
        /// `Mon` and `day`: the short form is shown, the whole is read.
        let short: String
        let rest: String
        let minutes: String
        let error: String?
    }

    /// Tells the fields of several limits on a page apart.
    let key: String
    let minutes: String
    let minutesError: String?
    let weekly: String
    let weeklyError: String?
    let days: [Day]
    /// Whether what goes beyond a day's minutes is in use, or was refused.
    let isMoreOpen: Bool

    init(_ typed: Typed, key: String, errors: [String: String] = [:]) {
        self.key = key
        minutes = typed["minutes"] ?? ""
        minutesError = errors["minutes"]
        weekly = typed["weekly"] ?? ""
        weeklyError = errors["weekly"]
        days = Weekday.allCases.map {
            Day(
                field: $0.rawValue, short: $0.short, rest: String($0.displayName.dropFirst(3)),
                minutes: typed[$0.rawValue] ?? "",
                error: errors[$0.rawValue])
        }
        isMoreOpen =
            !weekly.isEmpty || weeklyError != nil
            || days.contains { !$0.minutes.isEmpty || $0.error != nil }
    }

    init(_ limit: UsageLimit) {
        self.init(Self.typed(limit), key: limit.id.uuidString)
    }

    private static func typed(_ limit: UsageLimit) -> Typed {
        var typed = ["minutes": String(limit.minutes)]
        typed["weekly"] = limit.weeklyMinutes.map { String($0) }
        for (day, minutes) in limit.minutesByDay { typed[day.rawValue] = String(minutes) }
        return typed
    }
}
