/// A gap between a day's windows, as the schedule page and the monitor's log name it.
package struct BlockedPeriod: Hashable, Sendable {
    /// `blocked-period-0`, `blocked-period-1`, … in order of time.
    package let name: String
    package let start: TimeOfDay
    /// Excluded from the period, except 23:59, which stands for midnight.
    package let end: TimeOfDay
}

extension AntiRot {
    /// What a weekday's windows leave blocked; windows that touch leave nothing between them.
    ///
    /// If no day has a window, the list is empty, and pages say "Apps will be blocked all day". A weekday
    /// without windows, while others have some, is one period. If the last window ends at 23:59, the minute left is
    /// blocked but not listed.
    package func blockedPeriods(on day: Weekday) -> [BlockedPeriod] {
        guard let windows, !windows.isEmpty else { return [] }
        var gaps: [(start: TimeOfDay, end: TimeOfDay)] = []
        var cursor = TimeOfDay(hour: 0, minute: 0)
        for window in TimeWindow.inOrder(windows) where window.days.contains(day) {
            if cursor < window.start { gaps.append((cursor, window.start)) }
            cursor = max(cursor, window.end)
        }
        let last = TimeOfDay(hour: 23, minute: 59)
        if cursor < last { gaps.append((cursor, last)) }
        return gaps.enumerated().map { index, gap in
            BlockedPeriod(name: "blocked-period-\(index)", start: gap.start, end: gap.end)
        }
    }
}
