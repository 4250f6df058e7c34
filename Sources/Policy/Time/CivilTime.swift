package import Foundation

// This file has every conversion between days, times on the wall and instants.

extension CivilDate {
    /// Days since 1970-01-01 in the proleptic Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last of its year.
    var dayNumber: Int {
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// The inverse of `dayNumber`; years outside 1 to 9999 are clamped.
    init(dayNumber: Int) {
        let clamped = min(max(dayNumber, -719_162), 2_932_896) + 719_468
        let era = clamped / 146_097
        let dayOfEra = clamped - era * 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        self.init(
            year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month: month,
            day: dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    static func exists(_ year: Int, _ month: Int, _ day: Int) -> Bool {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return day <= [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    package var weekday: Weekday {
        let sinceMonday = (dayNumber + 3) % 7  // 1970-01-01 was a Thursday.
        return Weekday.allCases[sinceMonday < 0 ? sinceMonday + 7 : sinceMonday]
    }

    package func adding(days: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + days) }
}

/// A zone of the IANA time zone database, in which a household reads its clocks.
package struct CivilZone: Hashable, Sendable {
    /// As it was given: Foundation would turn `UTC` into `GMT`.
    package let identifier: String
    private let offsets: ZoneOffsets

    /// Nil for names that the database does not have, among them abbreviations like `PST` and offsets like `GMT+5`.
    /// Foundation accepts those, and elsewhere a misspelt `TZ` silently means UTC.
    package init?(_ identifier: String) {
        guard let offsets = ZoneOffsets.of(identifier) else { return nil }
        self.identifier = identifier
        self.offsets = offsets
    }

    package static func == (one: CivilZone, other: CivilZone) -> Bool { one.identifier == other.identifier }

    package func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

    package static let utc = CivilZone("UTC")!

    /// Identifiers for a choice, sorted.
    package static let known: [String] = ZoneNames.choices.filter { CivilZone($0) != nil }

    /// When the clocks of this zone first show a time.
    ///
    /// A time that a gap skips becomes the first instant after the gap; a time that a fold repeats is its first
    /// occurrence. Both are the earliest instant at which the wall shows this time or later, so a later wall time is
    /// never an earlier instant.
    package func instant(of date: CivilDate, at time: TimeOfDay) -> Date {
        let wall = date.dayNumber * 86_400 + time.minuteOfDay * 60
        // No zone is more than 16 hours from UTC, and none changes its offset twice within 32 hours.
        var before = wall - 16 * 3_600
        var after = wall + 16 * 3_600
        let (early, late) = (offset(at: before), offset(at: after))
        guard early != late else { return Self.date(wall - early) }
        while after - before > 1 {
            let middle = (before + after) / 2
            if offset(at: middle) == early { before = middle } else { after = middle }
        }
        return Self.date(wall - early < after ? wall - early : max(after, wall - late))
    }

    /// The clock of one day and of the next, for looking up many of their times.
    func clock(on date: CivilDate) -> CivilDay {
        let midnight = date.dayNumber * 86_400
        let offsets = [-16, 12, 40, 64].map { offset(at: midnight + $0 * 3_600) }
        return CivilDay(date: date, zone: self, offset: Set(offsets).count == 1 ? offsets[0] : nil)
    }

    package func date(of instant: Date) -> CivilDate {
        CivilDate(dayNumber: wallSeconds(of: instant).floorDivided(by: 86_400))
    }

    package func time(of instant: Date) -> TimeOfDay {
        let minute = secondOfDay(of: instant) / 60
        return TimeOfDay(hour: minute / 60, minute: minute % 60)
    }

    /// Whether an instant belongs to the current day or night: hours before 04:00 belong to the evening before.
    package func isTonight(_ instant: Date, from now: Date) -> Bool {
        let (evening, night) = (-4.0 * 3_600, date(of: instant))
        return night == date(of: now)
            || date(of: instant.addingTimeInterval(evening)) == date(of: now.addingTimeInterval(evening))
    }

    /// Seconds since the wall showed 00:00:00, from 0 to 86,399.
    package func secondOfDay(of instant: Date) -> Int {
        let wall = wallSeconds(of: instant)
        return wall - wall.floorDivided(by: 86_400) * 86_400
    }

    package func dayStart(_ date: CivilDate) -> Date {
        instant(of: date, at: TimeOfDay(hour: 0, minute: 0))
    }

    /// Seconds from this day's start to the next one's: 23, 24 or 25 hours, or 0 for a day that the zone skipped.
    package func dayLength(_ date: CivilDate) -> TimeInterval {
        dayStart(date.adding(days: 1)).timeIntervalSince(dayStart(date))
    }

    private func wallSeconds(of instant: Date) -> Int {
        // Years 1 to 9999 only: our calendar has no other days, and `Int` might overflow.
        let seconds = Int(
            min(max(instant.timeIntervalSince1970, -62_135_500_000), 253_402_200_000).rounded(.down))
        return seconds + offset(at: seconds)
    }

    private func offset(at seconds: Int) -> Int { offsets.offset(at: seconds) }

    private static func date(_ seconds: Int) -> Date {
        Date(timeIntervalSince1970: TimeInterval(seconds))
    }
}

/// The clock of one day and of the next in a zone. It says the same as `CivilZone.instant`, but faster on days without a
/// clock change.
struct CivilDay {
    let date: CivilDate
    let zone: CivilZone
    /// The offset of all instants of both days, in seconds east of UTC; nil if it changes or may change.
    fileprivate let offset: Int?

    /// From one time on the wall to another, which is on the next day unless it is later; nil if a gap swallows all
    /// of it.
    func span(from start: TimeOfDay, to end: TimeOfDay) -> Range<Date>? {
        let first = instant(at: start)
        let last = instant(at: end, daysLater: end.isNextDay(after: start) ? 1 : 0)
        return first < last ? first..<last : nil
    }

    private func instant(at time: TimeOfDay, daysLater days: Int = 0) -> Date {
        guard let offset else { return zone.instant(of: date.adding(days: days), at: time) }
        let wall = (date.dayNumber + days) * 86_400 + time.minuteOfDay * 60
        return Date(timeIntervalSince1970: TimeInterval(wall - offset))
    }
}
