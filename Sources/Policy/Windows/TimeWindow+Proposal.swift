extension TimeWindow {
    /// What a form proposes for one more window: the first full hour from now on in which no window is open on any
    /// day, and after 23:00 the first of the day. Nil if every hour is taken.
    ///
    /// The last hour ends at 23:59, because no window crosses midnight.
    package static func proposal(
        beside windows: [TimeWindow], after now: TimeOfDay
    ) -> (start: TimeOfDay, end: TimeOfDay)? {
        let first = (now.minuteOfDay + 59) / 60
        return (first..<first + 24).lazy.map { hour(number: $0 % 24) }.first { hour in
            windows.allSatisfy { hour.end <= $0.start || $0.end <= hour.start }
        }
    }

    private static func hour(number: Int) -> (start: TimeOfDay, end: TimeOfDay) {
        let end = number == 23 ? TimeOfDay(hour: 23, minute: 59) : TimeOfDay(hour: number + 1, minute: 0)
        return (TimeOfDay(hour: number, minute: 0), end)
    }
}
