/// The nightly bedtime block of one person (SI-050 to SI-059). Wall-clock times in the household's zone.
package struct RecurringSchedule: Hashable, Sendable {
    package var isEnabled: Bool
    package var start: TimeOfDay
    /// Earlier than `start` means the next morning; equal is refused.
    package var end: TimeOfDay
    package var strictness: StrictnessMode
    /// Weekdays of the *bedtime*: 00:30 on Saturday is Saturday.
    package var days: Set<Weekday>
    /// Other times on some of those weekdays; the first that names a weekday holds.
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

    /// 22:00 to 07:00, flexible, switched off (SI-058).
    package static let `default` = RecurringSchedule(
        isEnabled: false, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 7, minute: 0),
        strictness: .flexible)

    /// Bedtime and wake time of a weekday; exceptions change weekdays that are on, and no others.
    package func times(on weekday: Weekday) -> (start: TimeOfDay, end: TimeOfDay) {
        guard days.contains(weekday), let other = exceptions.first(where: { $0.days.contains(weekday) })
        else { return (start, end) }
        return (other.start, other.end)
    }
}

/// Other times on some weekdays of the one schedule.
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

/// What was decided for one coming night only, until it begins.
package struct TonightChange: Hashable, Codable, Sendable {
    package enum Kind: String, Codable, Sendable { case skip, later }

    package var night: CivilDate
    package var kind: Kind
    /// How many minutes later than planned the night begins, for `.later`; each press adds 30.
    package var minutes: Int

    package init(night: CivilDate, kind: Kind, minutes: Int = 0) {
        self.night = night
        self.kind = kind
        self.minutes = minutes
    }
}
