package import Foundation

/// The minutes that an app or category may take of a day, over all of a person's devices.
package struct UsageLimit: Hashable, Sendable, Identifiable {
    /// Whole minutes a day.
    package static let range = 1...1_440
    /// Whole minutes a week.
    package static let weeklyRange = 1...10_080

    package let id: UUID
    package var target: LimitTarget
    /// In `range`.
    package var minutes: Int
    /// Weekdays with their own minutes, in `range`.
    package var minutesByDay: [Weekday: Int]
    /// An additional budget from Monday to Sunday, in `weeklyRange`; nil: none.
    package var weeklyMinutes: Int?
    /// Apps of the category that have no part in it: their minutes do not count, and it does not block them. Empty for
    /// an app's limit.
    package var leavesOut: Set<String>

    package init(
        id: UUID, target: LimitTarget, minutes: Int, minutesByDay: [Weekday: Int] = [:],
        weeklyMinutes: Int? = nil, leavesOut: Set<String> = []
    ) {
        self.id = id
        self.target = target
        self.minutes = minutes
        self.minutesByDay = minutesByDay
        self.weeklyMinutes = weeklyMinutes
        self.leavesOut = leavesOut
    }

    package func minutes(on day: Weekday) -> Int { minutesByDay[day] ?? minutes }

    /// Whether an app's minutes count for it.
    package func counts(_ app: String, in category: String) -> Bool {
        switch target {
        case .app(let id): id == app
        case .category(let id): id == category && !leavesOut.contains(app)
        }
    }
}
