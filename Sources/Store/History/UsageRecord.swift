import Foundation
import GRDB
import Policy

/// The rows of usage: masks of hours, roll-ups of days, attempts.
enum UsageRecord {
    /// How long usage is kept (design.md, Trust), in days.
    static let daysKept = 90
    /// Tables with minutes.
    static let tables: Set<String> = ["usage_app", "usage_hour", "usage_day", "usage_attempt"]
    /// In `usage_day`: all apps together.
    static let allApps: Int64 = 0

    static func write(_ db: Database, _ batch: UsageBatch, people: Set<PersonID>) throws {
        var numbers = AppNumbers(db)
        for mask in batch.hours where people.contains(mask.person) {
            try write(db, mask, app: try numbers.number(of: mask.app))
        }
        for day in batch.days where people.contains(day.person) {
            try write(db, day, app: try day.app.map { try numbers.number(of: $0) } ?? allApps)
        }
        for entry in batch.attempts where people.contains(entry.person) && entry.count > 0 {
            try db.cachedStatement(
                sql: """
                    INSERT INTO usage_attempt (person, date, app, count) VALUES (?, ?, ?, ?)
                    ON CONFLICT DO UPDATE SET count = count + excluded.count
                    """
            ).execute(arguments: [
                entry.person.rawValue, entry.date.digits, try numbers.number(of: entry.app), entry.count,
            ])
        }
    }

    static func write(_ db: Database, _ mask: HourMask, app: Int64) throws {
        let key: StatementArguments = [
            mask.person.rawValue, mask.hour, app, mask.device.rawValue, mask.source.rawValue,
        ]
        guard mask.minutes != 0 else {
            return try db.cachedStatement(
                sql: """
                    DELETE FROM usage_hour
                    WHERE person = ? AND hour = ? AND app = ? AND device = ? AND source = ?
                    """
            ).execute(arguments: key)
        }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO usage_hour (person, hour, app, device, source, minutes)
                VALUES (?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: key + [Int64(mask.minutes & HourMask.full)])
    }

    static func write(_ db: Database, _ day: UsageDay, app: Int64) throws {
        // Another source's figure for the day, such as an upload, stays beside it; the reader chooses.
        if day.source != .upload {
            try db.cachedStatement(
                sql: """
                    DELETE FROM usage_day WHERE person = ? AND date = ? AND app = ? AND source NOT IN (?, ?)
                    """
            ).execute(arguments: [
                day.person.rawValue, day.date.digits, app, UsageSource.upload.rawValue, day.source.rawValue,
            ])
        }
        try db.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO usage_day (person, date, app, source, minutes) VALUES (?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            day.person.rawValue, day.date.digits, app, day.source.rawValue, min(max(day.minutes, 0), 1_500),
        ])
    }

    /// Removes days older than `daysKept`. With an unsynchronised clock it keeps each person's last 2 × `daysKept` days
    /// with use up to now. Rows of a later date stay: a fast clock may have written them.
    static func forget(_ db: Database, at now: Date, in zone: CivilZone, isSynchronised: Bool) throws {
        let today = zone.date(of: now)
        let (date, hour) = (today.adding(days: -daysKept).digits, now.hour - daysKept * 24)
        for (table, column, latest, oldest, most) in [
            ("usage_hour", "hour", now.hour, hour, daysKept * 24),
            ("usage_day", "date", today.digits, date, daysKept),
            ("usage_attempt", "date", today.digits, date, daysKept),
        ] {
            for person in try Int64.fetchAll(db, sql: "SELECT id FROM person") {
                let counted =
                    try isSynchronised ? oldest : last(2 * most, column, of: table, person, until: latest, db)
                try db.execute(
                    sql: "DELETE FROM \(table) WHERE person = ? AND \(column) < ?",
                    arguments: [person, counted])
            }
        }
    }

    /// The earliest of a person's last so many hours, or dates, until `latest`; 0 where there are none. Each step finds the
    /// next earlier one by the primary key, however many rows they have.
    static func last(
        _ count: Int, _ column: String, of table: String, _ person: Int64, until latest: Int, _ db: Database
    ) throws -> Int {
        try Int.fetchOne(
            db,
            sql: """
                WITH RECURSIVE used(value) AS (
                    SELECT max(\(column)) FROM \(table) WHERE person = ?1 AND \(column) <= ?2
                    UNION ALL
                    SELECT (SELECT max(\(column)) FROM \(table) WHERE person = ?1 AND \(column) < value)
                    FROM used WHERE value IS NOT NULL
                    LIMIT ?3)
                SELECT min(value) FROM used
                """,
            arguments: [person, latest, count]) ?? 0
    }

    /// A person's masks in these hours since 1970: a list for each app, in the order of the hours. Columns are read by
    /// position, because a start reads very many.
    /// - Parameter names: `appNames`.
    static func hours(
        _ db: Database, of person: Int64, in hours: ClosedRange<Int>, _ names: [Int64: String]
    ) throws -> [[HourMask]] {
        let rows = try Row.fetchCursor(
            db.cachedStatement(
                sql: """
                    SELECT app, hour, device, source, minutes FROM usage_hour
                    WHERE person = ? AND hour BETWEEN ? AND ? ORDER BY hour
                    """),
            arguments: [person, hours.lowerBound, hours.upperBound])
        var masks: [Int64: [HourMask]] = [:]
        while let row = try rows.next() {
            // Other rows were not written by this program.
            guard let number = row[0] as Int64?, let app = names[number], let hour = row[1] as Int64?,
                let device = row[2] as Int64?, let minutes = row[4] as Int64?,
                let source = (row[3] as Int64?).flatMap({ UsageSource(rawValue: Int($0)) })
            else { continue }
            masks[number, default: []].append(
                HourMask(
                    person: PersonID(rawValue: person), device: DeviceID(rawValue: device), app: app,
                    hour: Int(hour), source: source, minutes: UInt64(bitPattern: minutes) & HourMask.full))
        }
        return Array(masks.values)
    }

    /// Each app's id by its number in `usage_hour`.
    static func appNames(_ db: Database) throws -> [Int64: String] {
        try Dictionary(
            Row.fetchAll(db, sql: "SELECT number, id FROM usage_app").compactMap { row in
                // Damage can leave a row without an id.
                guard let number = row[0] as Int64?, let id = String.fromDatabaseValue(row[1]) else {
                    return nil
                }
                return (number, id)
            },
            uniquingKeysWith: { first, _ in first })
    }
}

/// Numbers of apps, given to each app when it first comes up.
struct AppNumbers {
    private let db: Database
    private var known: [String: Int64] = [:]

    init(_ db: Database) { self.db = db }

    mutating func number(of id: String) throws -> Int64 {
        if let number = known[id] { return number }
        try db.cachedStatement(sql: "INSERT INTO usage_app (id) VALUES (?) ON CONFLICT DO NOTHING")
            .execute(arguments: [id])
        guard
            let number = try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT number FROM usage_app WHERE id = ?"), arguments: [id])
        else { throw UnreadableColumn(column: "number") }
        known[id] = number
        return number
    }
}

extension Row {
    func source() throws -> UsageSource {
        guard let source = UsageSource(rawValue: try value("source")) else {
            throw UnreadableColumn(column: "source")
        }
        return source
    }

    func date() throws -> CivilDate {
        guard let date = CivilDate(digits: try value("date")) else { throw UnreadableColumn(column: "date") }
        return date
    }
}

extension CivilDate {
    /// `20261121`.
    var digits: Int { year * 10_000 + month * 100 + day }

    /// The inverse; nil if it is no day.
    init?(digits: Int) {
        func padded(_ number: Int, _ width: Int) -> String {
            String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
        }
        guard digits > 0 else { return nil }
        self.init("\(padded(digits / 10_000, 4))-\(padded(digits / 100 % 100, 2))-\(padded(digits % 100, 2))")
    }
}

extension Date {
    /// Whole hours since 1970, as `usage_hour` counts them.
    var hour: Int { Int((timeIntervalSince1970 / 3600).rounded(.down)) }
}
