package import Foundation

/// A part of the day in which the restricted apps are open; it never crosses midnight.
package struct TimeWindow: Hashable, Codable, Sendable, Identifiable {
    /// The longest label, in characters.
    package static let maximumLabel = CleanName.maximum
    /// Windows in one person's schedule.
    package static let maximumCount = 24

    package let id: UUID
    /// What people call it, for example "Lunch". If it is empty, pages show the times.
    package var label: String
    /// Included in the window.
    package var start: TimeOfDay
    /// Excluded from the window.
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

    /// Start and end as the log has them, for example `12:00–13:00`.
    package var times: String { times(in: .twentyFourHours) }

    /// Whether two windows are open at the same time on some weekday; windows that touch are not.
    package func overlaps(_ other: TimeWindow) -> Bool {
        !days.isDisjoint(with: other.days) && start < other.end && other.start < end
    }

    /// The two windows that replace a window across midnight, without the minute before midnight. The second
    /// belongs to the next weekday. A window of no length is left out.
    package static func splitAtMidnight(
        from start: TimeOfDay, to end: TimeOfDay
    ) -> [(start: TimeOfDay, end: TimeOfDay)] {
        [(start, TimeOfDay(hour: 23, minute: 59)), (TimeOfDay(hour: 0, minute: 0), end)].filter {
            $0.0 < $0.1
        }
    }

    /// In order of start, as they are stored.
    static func inOrder(_ windows: [TimeWindow]) -> [TimeWindow] {
        for index in windows.indices.dropFirst() where windows[index].start < windows[index - 1].start {
            return windows.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        }
        return windows
    }
}
