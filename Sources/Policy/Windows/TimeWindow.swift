package import Foundation

/// A part of the day in which the restricted apps are open (AR-011); it never crosses midnight (AR-094, C-03).
package struct TimeWindow: Hashable, Codable, Sendable, Identifiable {
    package let id: UUID
    /// What people call it, for example "Lunch"; may be empty, pages then show the times.
    package var label: String
    /// Belongs to the window (AR-031).
    package var start: TimeOfDay
    /// Does not belong to it.
    package var end: TimeOfDay
    /// Never empty.
    package var days: Set<Weekday>

    package init(
        id: UUID, label: String, start: TimeOfDay, end: TimeOfDay, days: Set<Weekday> = Set(Weekday.allCases)
    ) {
        self.id = id
        self.label = label
        self.start = start
        self.end = end
        self.days = days
    }

    /// Whether two windows are open at the same time on some weekday; touching ones are not (AR-093).
    package func overlaps(_ other: TimeWindow) -> Bool {
        !days.isDisjoint(with: other.days) && start < other.end && other.start < end
    }
}
