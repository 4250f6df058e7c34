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

    package init(
        id: UUID, target: LimitTarget, minutes: Int, minutesByDay: [Weekday: Int] = [:],
        weeklyMinutes: Int? = nil
    ) {
        self.id = id
        self.target = target
        self.minutes = minutes
        self.minutesByDay = minutesByDay
        self.weeklyMinutes = weeklyMinutes
    }

    package func minutes(on day: Weekday) -> Int { minutesByDay[day] ?? minutes }
}
