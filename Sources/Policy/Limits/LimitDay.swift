package import Foundation

/// A day of limits: from the person's reset hour to the next one; midnight by default.
///
/// 23, 24 or 25 hours long; the hour is wall-clock time.
package struct LimitDay: Hashable, Sendable {
    /// The civil date on which it begins.
    package let date: CivilDate
    package let start: Date
    package let end: Date
    /// The start of its week's Monday.
    package let weekStart: Date
    package let weekEnd: Date

    package init(containing instant: Date, resetHour: Int, in zone: CivilZone) {
        let reset = TimeOfDay(hour: min(max(resetHour, 0), 23), minute: 0)
        let today = zone.date(of: instant)
        // If midnight comes twice, tomorrow's 00:00 has already happened today.
        let date =
            [1, 0, -1].map(today.adding(days:)).first { zone.instant(of: $0, at: reset) <= instant }
            ?? today.adding(days: -1)
        self.date = date
        start = zone.instant(of: date, at: reset)
        end = zone.instant(of: date.adding(days: 1), at: reset)
        let week = Self.week(of: date)
        weekStart = zone.instant(of: week.lowerBound, at: reset)
        weekEnd = zone.instant(of: week.upperBound.adding(days: 1), at: reset)
    }

    /// Its week, from Monday to Sunday.
    package var week: ClosedRange<CivilDate> { Self.week(of: date) }

    private static func week(of date: CivilDate) -> ClosedRange<CivilDate> {
        let monday = date.adding(days: -date.weekday.order)
        return monday...monday.adding(days: 6)
    }
}
