import GRDB
package import Policy

/// A person's use on one date, of one app or of all together, for a chart.
package struct DailyUse: Hashable, Sendable {
    package var minutes = 0
    package var attempts = 0

    package init() {}
}

extension HouseholdStore {
    /// Dates from `from` to `to`, both included, with use or attempts. `app` nil: all apps together, where a minute
    /// with two apps counts once. If two sources have a date, the more exact one counts.
    package func usageByDate(
        of person: PersonID, from: CivilDate, to: CivilDate, app: String?
    ) throws -> [CivilDate: DailyUse] {
        try read { db in
            let number =
                try app.map {
                    try Int.fetchOne(db, sql: "SELECT number FROM usage_app WHERE id = ?", arguments: [$0])
                        ?? -1
                } ?? 0
            var dates: [CivilDate: DailyUse] = [:]
            let days = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT date, minutes, max(source) FROM usage_day
                        WHERE person = ? AND date BETWEEN ? AND ? AND app = ? GROUP BY date
                        """),
                arguments: [person.rawValue, from.digits, to.digits, number])
            for row in days {
                dates[try row.date(), default: DailyUse()].minutes = try row.value("minutes")
            }
            let attempts = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT date, sum(count) AS count FROM usage_attempt
                        WHERE person = ?1 AND date BETWEEN ?2 AND ?3 AND (?4 = 0 OR app = ?4) GROUP BY date
                        """),
                arguments: [person.rawValue, from.digits, to.digits, number])
            for row in attempts {
                dates[try row.date(), default: DailyUse()].attempts = try row.value("count")
            }
            return dates
        }
    }
}
