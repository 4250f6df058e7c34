import Foundation
import Pages
import Policy

/// The minutes of a limit in its form: stored, or refused input.
package struct LimitFields: Sendable {
    /// Refused input, by field name: `minutes`, `weekly`, `mon` … `sun`, and in one text `leavesOut`.
    package typealias Typed = [String: String]

    struct Day {
        let field: String
        /// `Mon`, which is shown, and `day`, which only screen readers add.
        let short: String
        let rest: String
        let minutes: String
        let error: String?
    }

    /// Tells the fields of several limits on one page apart.
    let key: String
    let minutes: String
    let minutesError: String?
    let weekly: String
    let weeklyError: String?
    let days: [Day]
    /// Whether the section beyond the daily minutes is open: it is in use, or its input was refused.
    let isMoreOpen: Bool
    /// A category's apps; those that are ticked do not count.
    let apps: [Choice]
    let hasApps: Bool
    let isLeavingOut: Bool

    init(
        _ typed: Typed, key: String, of target: LimitTarget?, catalog: Catalog, errors: [String: String] = [:]
    ) {
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
        let leftOut = Set((typed["leavesOut"] ?? "").split(separator: " ").map(String.init))
        apps = catalog.apps.filter { target == .category($0.category) }.map {
            Choice($0.id, $0.name, isSelected: leftOut.contains($0.id))
        }
        hasApps = !apps.isEmpty
        isLeavingOut = apps.contains(where: \.isSelected)
    }

    init(_ limit: UsageLimit, catalog: Catalog) {
        self.init(Self.typed(limit), key: limit.id.uuidString, of: limit.target, catalog: catalog)
    }

    private static func typed(_ limit: UsageLimit) -> Typed {
        var typed = ["minutes": String(limit.minutes)]
        typed["weekly"] = limit.weeklyMinutes.map { String($0) }
        if !limit.leavesOut.isEmpty {
            typed["leavesOut"] = limit.leavesOut.sorted().joined(separator: " ")
        }
        for (day, minutes) in limit.minutesByDay { typed[day.rawValue] = String(minutes) }
        return typed
    }
}
