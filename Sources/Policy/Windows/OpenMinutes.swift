extension [TimeWindow] {
    /// The minutes of a date's wall in which a window is open: one of this date, or one of the date before that ends after
    /// midnight.
    ///
    /// - Parameters:
    ///   - day: the weekday by which the date's windows go; nil: none hold, and all of the date is open.
    ///   - before: the same for the date before.
    func openMinutes(on day: Weekday?, after before: Weekday?) -> RangeSet<Int> {
        guard let day else { return RangeSet(TimeWindow.day) }
        var open = RangeSet<Int>()
        for window in self {
            let minutes = window.minutes
            if window.days.contains(day) { open.insert(contentsOf: minutes.clamped(to: TimeWindow.day)) }
            if let before, window.days.contains(before), minutes.upperBound > TimeWindow.day.count {
                open.insert(contentsOf: 0..<minutes.upperBound - TimeWindow.day.count)
            }
        }
        return open
    }

    /// Whether they are open at a time of the week at which the others are not.
    func open(moreThan others: [TimeWindow]) -> Bool {
        !Weekday.allCases.allSatisfy { day in
            openMinutes(on: day, after: day.previous)
                .isSubset(of: others.openMinutes(on: day, after: day.previous))
        }
    }
}
