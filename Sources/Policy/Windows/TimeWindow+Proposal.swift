import Foundation

extension TimeWindow {
    /// What a form proposes for one more window: the first full hour from now on in which no window is open on any
    /// day, and after 23:00 the first of the day. Nil if every hour is taken.
    package static func proposal(
        beside windows: [TimeWindow], after now: TimeOfDay
    ) -> (start: TimeOfDay, end: TimeOfDay)? {
        let first = (now.minuteOfDay + 59) / 60
        return (first..<first + 24).lazy.map { hour(number: $0 % 24) }.first { hour in
            !windows.contains(where: hour.overlaps)
        }.map { ($0.start, $0.end) }
    }

    private static func hour(number: Int) -> TimeWindow {
        TimeWindow(
            id: UUID(), label: "", start: TimeOfDay(minuteOfDay: number * 60),
            end: TimeOfDay(minuteOfDay: (number + 1) * 60))
    }
}
