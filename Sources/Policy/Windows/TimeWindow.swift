package import Foundation

/// A time in which the restricted apps are open. One that ends after midnight belongs to the day on which it begins.
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
    /// Excluded from the window. A time before `start` is on the next day; the same time is refused.
    package var end: TimeOfDay
    /// Weekdays of the start; never empty.
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

    /// In minutes since 00:00 of the day on which it begins; the end is past 1,440 if the window goes on after midnight.
    package var minutes: Range<Int> {
        start.minuteOfDay..<end.minuteOfDay + (end.isNextDay(after: start) ? Self.day.count : 0)
    }

    static let day = 0..<1_440

    /// Whether two windows are open at the same time on some weekday; windows that touch are not.
    package func overlaps(_ other: TimeWindow) -> Bool {
        meets(other, on: days.intersection(other.days), minutesLater: 0)
            || meets(other, on: Set(days.map(\.next)).intersection(other.days), minutesLater: Self.day.count)
            || other.meets(
                self, on: Set(other.days.map(\.next)).intersection(days), minutesLater: Self.day.count)
    }

    private func meets(_ other: TimeWindow, on days: Set<Weekday>, minutesLater: Int) -> Bool {
        let later = other.minutes
        return !days.isEmpty
            && minutes.overlaps(later.lowerBound + minutesLater..<later.upperBound + minutesLater)
    }

    /// In order of start, as they are stored.
    static func inOrder(_ windows: [TimeWindow]) -> [TimeWindow] {
        for index in windows.indices.dropFirst() where windows[index].start < windows[index - 1].start {
            return windows.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        }
        return windows
    }
}
