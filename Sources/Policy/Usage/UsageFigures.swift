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

/// The minutes of an app in an hour of a day, as the clocks showed it.
package struct UsageHour: Hashable, Sendable {
    package var app: String
    /// 0 to 23.
    package var hour: Int
    package var minutes: Int
    package var source: UsageSource

    package init(app: String, hour: Int, minutes: Int, source: UsageSource) {
        self.app = app
        self.hour = hour
        self.minutes = minutes
        self.source = source
    }

    /// What one person's masks say of the minutes since 1970 in `range`, over all devices; by app, then by hour.
    package static func hours(
        of masks: [HourMask], minutes range: Range<Int>, in zone: CivilZone
    ) -> [UsageHour] {
        let cells = Dictionary(grouping: masks) { Cell(app: $0.app, hour: $0.hour) }
        var sums: [Cell: UsageHour] = [:]
        for (cell, masks) in cells {
            let union = HourMask.union(masks)
            // Zones are offset by quarters of an hour at the least.
            for quarter in 0..<4 {
                let start = cell.hour * 60 + quarter * 15
                let bits = HourMask.bits(of: (start..<start + 15).clamped(to: range), in: cell.hour)
                let minutes = (union.minutes & bits).nonzeroBitCount
                guard minutes > 0 else { continue }
                let local = zone.time(of: Date(timeIntervalSince1970: TimeInterval(start * 60))).hour
                let key = Cell(app: cell.app, hour: local)
                var sum = sums[key] ?? UsageHour(app: cell.app, hour: local, minutes: 0, source: .dns)
                sum.minutes += minutes
                sum.source = max(sum.source, union.source)
                sums[key] = sum
            }
        }
        return sums.values.sorted { ($0.app, $0.hour) < ($1.app, $1.hour) }
    }

    private struct Cell: Hashable {
        var app: String
        var hour: Int
    }
}
