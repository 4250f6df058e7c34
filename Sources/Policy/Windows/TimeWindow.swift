package import Foundation

/// A part of the day in which the restricted apps are open (AR-011); it never crosses midnight (AR-094, C-03).
package struct TimeWindow: Hashable, Codable, Sendable, Identifiable {
    /// A label's, in characters.
    package static let maximumLabel = CleanName.maximum
    /// In one person's schedule.
    package static let maximumCount = 24

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

    /// From and to as people read them, for example `12:00–13:00`.
    package var times: String { "\(start)–\(end)" }

    /// The label, or the times of a window without one.
    package var displayName: String { label.isEmpty ? times : label }

    /// Whether two windows are open at the same time on some weekday; touching ones are not (AR-093).
    package func overlaps(_ other: TimeWindow) -> Bool {
        !days.isDisjoint(with: other.days) && start < other.end && other.start < end
    }

    /// The windows that do together, but for the minute before midnight, what one that crosses it was to do (AR-094);
    /// the second is of the next weekday. One that would have no length is left out.
    package static func splitAtMidnight(
        from start: TimeOfDay, to end: TimeOfDay
    ) -> [(start: TimeOfDay, end: TimeOfDay)] {
        [(start, TimeOfDay(hour: 23, minute: 59)), (TimeOfDay(hour: 0, minute: 0), end)].filter {
            $0.0 < $0.1
        }
    }

    /// In order of start (AR-023); what is stored is in order already.
    static func inOrder(_ windows: [TimeWindow]) -> [TimeWindow] {
        for index in windows.indices.dropFirst() where windows[index].start < windows[index - 1].start {
            return windows.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        }
        return windows
    }
}
