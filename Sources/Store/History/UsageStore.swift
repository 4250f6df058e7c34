package import Foundation
import GRDB
package import Policy
import Synchronization

extension HouseholdStore {
    /// Writes what changed, and that it was now, in one transaction: all of it is on the disk when this returns, or
    /// nothing. Skips people who are gone.
    /// - Parameter now: the instant to note with it; nil: none.
    package func recordUsage(_ batch: UsageBatch, at now: Date? = nil) throws {
        try inLine { db in
            try commit(db) {
                try UsageRecord.write(db, batch, people: Set(household.people.map(\.id)))
                if let now { try noteInstant(db, now) }
            } adopting: {
                if let now { access.withLock { $0.lastInstant = now.asStored } }
            }
        }
    }

    /// The only place that removes old rules, log lines and usage: by age while the kernel calls the clock
    /// synchronised, otherwise by count. Call it once an hour or so.
    package func forget(at now: Date, isSynchronised: Bool) throws {
        try change(keeping: .evenInMemory) { $0.forget(at: now, isSynchronised: isSynchronised) }
        try inLine { db in
            try commit(db) {
                if isSynchronised { try EventLog.forget(db, at: now) }
                try UsageRecord.forget(db, at: now, in: household.zone, isSynchronised: isSynchronised)
            }
        }
    }

    /// The masks of each person's last hours with any use until now, for the ledger to begin with: a list for each app,
    /// in the order of the hours.
    package func usageHours(latest count: Int, at now: Date) throws -> [[HourMask]] {
        try read { db in
            let names = try UsageRecord.appNames(db)
            return try Int64.fetchAll(db, sql: "SELECT id FROM person").flatMap { person in
                let oldest = try UsageRecord.last(
                    count, "hour", of: "usage_hour", person, until: now.hour, db)
                return try UsageRecord.hours(db, of: person, in: oldest...max(oldest, now.hour), names)
            }
        }
    }

    /// A person's minutes on each day from `from` to `to`, both included: by app, and all together (`app` nil). If two
    /// sources have the same, the more exact one counts. By date, the most used app first.
    package func usageDays(of person: PersonID, from: CivilDate, to: CivilDate) throws -> [UsageDay] {
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT d.date, d.source, d.minutes, a.id FROM usage_day d
                    LEFT JOIN usage_app a ON a.number = d.app
                    WHERE d.person = ? AND d.date BETWEEN ? AND ?
                    ORDER BY d.date, d.app, d.source DESC
                    """,
                arguments: [person.rawValue, from.digits, to.digits]
            ).compactMap { try? UsageDay(person, $0) }
        }
        var best: [UsageDay] = []
        // The sources of one app and date follow one another, the most exact first.
        for day in rows where best.last.map({ $0.date != day.date || $0.app != day.app }) ?? true {
            best.append(day)
        }
        return best.sorted { ($0.date, -$0.minutes, $0.app ?? "") < ($1.date, -$1.minutes, $1.app ?? "") }
    }

    /// A person's use on a day: of each counted app, and the total of `app`, or of all apps if it is nil.
    package func usage(
        of person: PersonID, on date: CivilDate, app: String? = nil
    ) throws -> (total: MinutesOfUse, apps: [String: MinutesOfUse]) {
        let zone = CivilZone(household.timeZone) ?? .utc
        let range = zone.minutes(of: date)
        let lists = try read { db in
            try UsageRecord.hours(
                db, of: person.rawValue,
                in: range.lowerBound / 60...max(range.lowerBound, range.upperBound - 1) / 60,
                UsageRecord.appNames(db))
        }
        func use(_ masks: [HourMask]) -> MinutesOfUse { MinutesOfUse(masks, in: range) }
        let apps = Dictionary(lists.map { ($0[0].app, $0) }, uniquingKeysWith: +)
        return (
            use(app.map { apps[$0] ?? [] } ?? Array(lists.joined())),
            apps.mapValues(use).filter { $0.value.count > 0 }
        )
    }

    /// A person's attempts to reach blocked names, from `from` to `to`, both included; by date, the most first.
    package func attempts(of person: PersonID, from: CivilDate, to: CivilDate) throws -> [UsageAttempts] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT t.date, t.count, a.id FROM usage_attempt t JOIN usage_app a ON a.number = t.app
                    WHERE t.person = ? AND t.date BETWEEN ? AND ? ORDER BY t.date, t.count DESC, a.id
                    """,
                arguments: [person.rawValue, from.digits, to.digits]
            ).compactMap { row in
                try? UsageAttempts(
                    person: person, date: row.date(), app: row.value("id"), count: row.value("count"))
            }
        }
    }
}

extension UsageDay {
    fileprivate init(_ person: PersonID, _ row: Row) throws {
        self.init(
            person: person, date: try row.date(), app: try row.valueIfAny("id"),
            minutes: try row.value("minutes"), source: try row.source())
    }
}
