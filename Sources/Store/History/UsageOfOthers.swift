import Foundation
import GRDB
package import Policy

extension HouseholdStore {
    /// Each device's stored minutes on a UTC day, in days since 1970, that ended before a minute since 1970.
    package func usage(onDay day: Int, before end: Int) throws -> [DeviceDay] {
        let masks = try read { db in
            let names = try UsageRecord.appNames(db)
            return try Int64.fetchAll(db, sql: "SELECT id FROM person").flatMap { person in
                try UsageRecord.hours(db, of: person, in: day * 24...day * 24 + 23, names)
            }
        }
        return DeviceDay.all(Array(masks.joined()), day: day, before: end)
    }

    /// Adds minutes that another machine counted, and figures their days anew. Skips people who are gone. All of it is on
    /// the disk when this returns, or nothing.
    package func joinUsage(_ masks: [HourMask]) throws {
        try inLine { db in
            try commit(db) {
                let people = Set(household.people.map(\.id))
                try UsageRecord.join(
                    db, masks.filter { people.contains($0.person) },
                    in: CivilZone(household.timeZone) ?? .utc)
            }
        }
    }
}

extension UsageRecord {
    fileprivate static func join(_ db: Database, _ masks: [HourMask], in zone: CivilZone) throws {
        var numbers = AppNumbers(db)
        var days: [PersonID: [CivilDate: Set<String>]] = [:]
        for var mask in masks {
            let app = try numbers.number(of: mask.app)
            let stored = try Int64.fetchOne(
                db.cachedStatement(
                    sql: """
                        SELECT minutes FROM usage_hour
                        WHERE person = ? AND hour = ? AND app = ? AND device = ? AND source = ?
                        """),
                arguments: [
                    mask.person.rawValue, mask.hour, app, mask.device.rawValue, mask.source.rawValue,
                ])
            let known = UInt64(bitPattern: stored ?? 0) & HourMask.full
            mask.minutes |= known
            guard mask.minutes != known else { continue }
            try write(db, mask, app: app)
            for minute in [mask.hour * 60, mask.hour * 60 + 59] {
                let date = zone.date(of: Date(timeIntervalSince1970: TimeInterval(minute * 60)))
                days[mask.person, default: [:]][date, default: []].insert(mask.app)
            }
        }
        for (person, dates) in days {
            for (date, apps) in dates { try figure(db, person, date, apps, in: zone, &numbers) }
        }
    }

    /// Writes a date's figures as its hours say: of some apps, and of all together.
    private static func figure(
        _ db: Database, _ person: PersonID, _ date: CivilDate, _ apps: Set<String>, in zone: CivilZone,
        _ numbers: inout AppNumbers
    ) throws {
        let range = zone.minutes(of: date)
        let lists = try hours(
            db, of: person.rawValue,
            in: range.lowerBound / 60...max(range.lowerBound, range.upperBound - 1) / 60, appNames(db))
        let masks = Array(lists.joined())
        let byApp = Dictionary(grouping: masks, by: \.app)
        for app in apps.map(Optional.some) + [nil] {
            let use = MinutesOfUse(app.map { byApp[$0] ?? [] } ?? masks, in: range)
            guard use.count > 0 else { continue }
            try write(
                db,
                UsageDay(person: person, date: date, app: app, minutes: use.count, source: use.source),
                app: try app.map { try numbers.number(of: $0) } ?? allApps)
        }
    }
}

extension CivilZone {
    /// The minutes since 1970 of a date.
    func minutes(of date: CivilDate) -> Range<Int> {
        let start = Int(dayStart(date).timeIntervalSince1970) / 60
        return start..<Int(dayStart(date.adding(days: 1)).timeIntervalSince1970) / 60
    }
}
