/// A gap between a day's windows, as the schedule page and the monitor's log name it.
package struct BlockedPeriod: Hashable, Sendable {
    /// `blocked-period-0`, `blocked-period-1`, … in order of time.
    package let name: String
    package let start: TimeOfDay
    /// Excluded from the period, except 23:59 in a period that lasts until midnight.
    package let end: TimeOfDay
    /// In minutes since 00:00; 1,440 for midnight.
    package let endMinute: Int

    fileprivate init(number: Int, _ minutes: Range<Int>) {
        name = "blocked-period-\(number)"
        start = TimeOfDay(minuteOfDay: minutes.lowerBound)
        end = TimeOfDay(minuteOfDay: Swift.min(minutes.upperBound, TimeWindow.day.count - 1))
        endMinute = minutes.upperBound
    }
}

extension Person {
    /// What a set's windows leave blocked on a date, also beside another date on which others hold.
    package func blockedPeriods(of set: WindowSet, on date: CivilDate) -> [BlockedPeriod] {
        set.blockedPeriods(
            on: dateExceptions.weekday(on: date), after: dateExceptions.weekday(on: date.adding(days: -1)))
    }
}

extension WindowSet {
    /// What a weekday's windows leave blocked; windows that touch leave nothing between them.
    ///
    /// If no day has a window, the list is empty, and pages say "Apps will be blocked all day". A weekday
    /// without windows, while others have some, is one period. If the last window ends at 23:59, the minute left is
    /// blocked but not listed.
    package func blockedPeriods(on day: Weekday) -> [BlockedPeriod] {
        blockedPeriods(on: day, after: day.previous)
    }

    /// The same for a date that goes by one weekday, after a date that goes by another; nil: no windows hold.
    func blockedPeriods(on day: Weekday?, after before: Weekday?) -> [BlockedPeriod] {
        guard let windows, !windows.isEmpty else { return [] }
        let blocked = RangeSet(TimeWindow.day).subtracting(windows.openMinutes(on: day, after: before))
        let lastMinute = TimeWindow.day.count - 1
        return blocked.ranges.filter { $0.lowerBound < lastMinute }.enumerated().map { number, minutes in
            BlockedPeriod(number: number, minutes)
        }
    }
}
