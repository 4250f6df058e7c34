package import Foundation
import GRDB
package import Policy

extension HouseholdStore {
    /// Writes what changed, in one transaction: on the disk when this returns, or nothing of it. People who are gone
    /// are passed over. What is older than 90 days goes with the first write of a trusted day.
    package func recordUsage(_ batch: UsageBatch, at now: Date) throws {
        try inLine { db in
            try commit(db) {
                try UsageRecord.write(db, batch, people: Set(household.people.map(\.id)))
                try pruneUsage(db, at: trusted(at: now))
            }
        }
    }

    private func pruneUsage(_ db: Database, at now: Date) throws {
        let today = (CivilZone(household.timeZone) ?? .utc).date(of: now)
        let last = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'usage pruned'")
        guard last != today.description else { return }
        try UsageRecord.prune(
            db, before: today.adding(days: -UsageRecord.daysKept),
            hour: Int(now.timeIntervalSince1970 / 3600) - UsageRecord.daysKept * 24)
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES ('usage pruned', ?)", arguments: [today.description])
    }

    /// Takes a device's or program's own report of a day, in place of an earlier one; it does not move any limit.
    /// `app` nil: all apps together.
    package func recordUpload(
        of person: PersonID, on date: CivilDate, app: String?, minutes: Int, at now: Date
    ) throws {
        var batch = UsageBatch()
        batch.days = [UsageDay(person: person, date: date, app: app, minutes: minutes, source: .upload)]
        try recordUsage(batch, at: now)
    }

    /// The masks of an hour since 1970 and later, for the ledger to begin with.
    package func usageHours(since hour: Int) throws -> [HourMask] {
        try read {
            try UsageRecord.hours($0, where: "person IN (SELECT id FROM person) AND hour >= ?", [hour])
        }
    }

    /// A person's minutes on each day from `from` to `to`, both included: by app, and all together (`app` nil). Where
    /// two sources speak of the same, the more exact one's. By date, the most used app first.
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

    /// What a person used on a day: each app that was counted, and `app`, or all of them together where it is nil.
    package func usage(
        of person: PersonID, on date: CivilDate, app: String? = nil
    ) throws -> (total: HoursOfUse, apps: [String: HoursOfUse]) {
        let zone = CivilZone(household.timeZone) ?? .utc
        let start = Int(zone.dayStart(date).timeIntervalSince1970) / 60
        let end = Int(zone.dayStart(date.adding(days: 1)).timeIntervalSince1970) / 60
        let masks = try read {
            try UsageRecord.hours(
                $0, where: "person = ? AND hour BETWEEN ? AND ?",
                [person.rawValue, start / 60, (end - 1) / 60])
        }
        func use(_ masks: [HourMask]) -> HoursOfUse { HoursOfUse(masks, minutes: start..<end, in: zone) }
        let apps = Dictionary(grouping: masks, by: \.app)
        return (
            use(app.map { apps[$0] ?? [] } ?? masks), apps.mapValues(use).filter { $0.value.minutes > 0 }
        )
    }

    /// How often a person reached for what was blocked, from `from` to `to`, both included; by date, the most first.
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
