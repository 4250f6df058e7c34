/// The nightly bedtime block of one person. Wall-clock times in the household's zone.
package struct RecurringSchedule: Hashable, Sendable {
    package var isEnabled: Bool
    package var start: TimeOfDay
    /// A time before `start` is on the next morning; the same time is refused.
    package var end: TimeOfDay
    package var strictness: StrictnessMode
    /// Weekdays of the *bedtime*: 00:30 on Saturday is Saturday.
    package var days: Set<Weekday>
    /// Other times on some of those weekdays; the first exception that names a weekday counts.
    package var exceptions: [ScheduleException]

    package init(
        isEnabled: Bool, start: TimeOfDay, end: TimeOfDay, strictness: StrictnessMode,
        days: Set<Weekday> = Set(Weekday.allCases), exceptions: [ScheduleException] = []
    ) {
        self.isEnabled = isEnabled
        self.start = start
        self.end = end
        self.strictness = strictness
        self.days = days
        self.exceptions = exceptions
    }

    /// 22:00 to 07:00, flexible, switched off.
    package static let `default` = RecurringSchedule(
        isEnabled: false, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 7, minute: 0),
        strictness: .flexible)

    /// Bedtime and wake time of a weekday; exceptions apply only to weekdays that are on.
    package func times(on weekday: Weekday) -> (start: TimeOfDay, end: TimeOfDay) {
        guard days.contains(weekday), let other = exceptions.first(where: { $0.days.contains(weekday) })
        else { return (start, end) }
        return (other.start, other.end)
    }
}

/// Other times on some weekdays of a schedule.
package struct ScheduleException: Hashable, Sendable {
    package var days: Set<Weekday>
    package var start: TimeOfDay
    package var end: TimeOfDay

    package init(days: Set<Weekday>, start: TimeOfDay, end: TimeOfDay) {
        self.days = days
        self.start = start
        self.end = end
    }
}

/// A change for one coming night, kept until that night is over.
package struct TonightChange: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case skip, later }

    package var night: CivilDate
    package var kind: Kind
    /// For `.later`: how many minutes later than planned the night begins, negative: earlier.
    package var minutes: Int
    /// Whether the night had begun and somebody was woken for a while (`Household.wakeForAWhile`).
    @Defaulted package var isPause: Bool

    package init(night: CivilDate, kind: Kind, minutes: Int = 0, isPause: Bool = false) {
        self.night = night
        self.kind = kind
        self.minutes = minutes
        self.isPause = isPause
    }
}
