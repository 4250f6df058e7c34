import Foundation

/// A person's minutes on a civil date, for pages: of one app, or of all together.
package struct UsageDay: Hashable, Sendable {
    package var person: PersonID
    package var date: CivilDate
    /// Nil: the union over all apps; a minute with two apps counts once.
    package var app: String?
    package var minutes: Int
    package var source: UsageSource

    package init(person: PersonID, date: CivilDate, app: String?, minutes: Int, source: UsageSource) {
        self.person = person
        self.date = date
        self.app = app
        self.minutes = minutes
        self.source = source
    }
}

/// How often a person tried to open a blocked app on a civil date.
package struct UsageAttempts: Hashable, Sendable {
    package var person: PersonID
    package var date: CivilDate
    package var app: String
    package var count: Int

    package init(person: PersonID, date: CivilDate, app: String, count: Int) {
        self.person = person
        self.date = date
        self.app = app
        self.count = count
    }
}

/// What changed since the last write.
package struct UsageBatch: Hashable, Sendable {
    /// Current values; they replace the stored ones.
    package var hours: [HourMask] = []
    /// Current values; they replace the stored ones.
    package var days: [UsageDay] = []
    /// Added to the stored ones.
    package var attempts: [UsageAttempts] = []

    package init() {}

    package var isEmpty: Bool { hours.isEmpty && days.isEmpty && attempts.isEmpty }
}

/// One person's use on one day, of one app or several together, by wall-clock hour.
///
/// A day's headline, chart and table all come from this.
package struct HoursOfUse: Hashable, Sendable {
    /// Minutes of each of the 24 hours; an hour that a clock change repeats has up to 120.
    package private(set) var hours = [Int](repeating: 0, count: 24)
    /// The most exact source of any minute in it.
    package private(set) var source = UsageSource.dns

    package var minutes: Int { hours.reduce(0, +) }

    /// Reads one person's `masks` for the minutes since 1970 in `range`; a minute with two apps counts once.
    package init(_ masks: [HourMask], minutes range: Range<Int>, in zone: CivilZone) {
        for (hour, use) in HourMask.byHour(masks) {
            // Zone offsets are multiples of a quarter of an hour.
            for quarter in 0..<4 {
                let start = hour * 60 + quarter * 15
                let bits = HourMask.bits(of: (start..<start + 15).clamped(to: range), in: hour)
                guard use.minutes & bits != 0 else { continue }
                let local = zone.time(of: Date(timeIntervalSince1970: TimeInterval(start * 60))).hour
                hours[local] += (use.minutes & bits).nonzeroBitCount
                source = max(source, use.source)
            }
        }
    }
}
