import Foundation

/// The minutes of a person on a civil date, for pages: of one app, or of all together.
package struct UsageDay: Hashable, Sendable {
    package var person: PersonID
    package var date: CivilDate
    /// Nil: the union over all apps, in which a minute with two apps counts once.
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

/// How often a person reached for an app that was blocked, on a civil date.
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
    /// As they are now, in place of those stored.
    package var hours: [HourMask] = []
    /// As they are now, in place of those stored.
    package var days: [UsageDay] = []
    /// To be added to those stored.
    package var attempts: [UsageAttempts] = []

    package init() {}

    package var isEmpty: Bool { hours.isEmpty && days.isEmpty && attempts.isEmpty }
}

/// What one person used on one day, of one app or of several together, hour by hour as the clocks showed it.
///
/// Headline, chart and table of a day are all made of this.
package struct HoursOfUse: Hashable, Sendable {
    /// Minutes of each of the 24 hours; an hour that comes twice has up to 120.
    package private(set) var hours = [Int](repeating: 0, count: 24)
    /// The most exact source of any of it.
    package private(set) var source = UsageSource.dns

    package var minutes: Int { hours.reduce(0, +) }

    /// What `masks` of one person say of the minutes since 1970 in `range`; a minute with two apps counts once.
    package init(_ masks: [HourMask], minutes range: Range<Int>, in zone: CivilZone) {
        for (hour, use) in HourMask.byHour(masks) {
            // Zones are offset by quarters of an hour at the least.
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
