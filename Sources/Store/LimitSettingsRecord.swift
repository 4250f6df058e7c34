import GRDB
import Policy

/// How a person's limits are counted and how long a change that loosens waits.
struct LimitSettings: Equatable {
    var resetHour = 0
    var unlocksPerDay: Int?
    var unlocks: Limits.DayCount?
    var looseningDelay = 0
}

/// The row of a person's limit settings; none while they are as they come.
enum LimitSettingsRecord {
    /// A row that cannot be read is logged and counts as none.
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: LimitSettings] {
        var all: [PersonID: LimitSettings] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM limit_settings") {
            do {
                all[PersonID(rawValue: try row.value("person"))] = try settings(row)
            } catch {
                log.warning("Stored settings of limits cannot be read and count as none: \(error)")
            }
        }
        return all
    }

    private static func settings(_ row: Row) throws -> LimitSettings {
        let day = try row.night("unlocks_day")
        let settings = LimitSettings(
            resetHour: try row.value("reset_hour"), unlocksPerDay: try row.valueIfAny("unlocks_per_day"),
            unlocks: try day.map { Limits.DayCount(day: $0, count: try row.value("unlocks")) },
            looseningDelay: try row.value("loosening_delay"))
        guard Limits.resetHours.contains(settings.resetHour) else {
            throw UnreadableColumn(column: "reset_hour")
        }
        guard PendingChange.delays.contains(settings.looseningDelay) else {
            throw UnreadableColumn(column: "loosening_delay")
        }
        return settings
    }

    static func write(_ db: Database, _ settings: LimitSettings, of person: PersonID) throws {
        guard settings != LimitSettings() else {
            return try db.execute(
                sql: "DELETE FROM limit_settings WHERE person = ?", arguments: [person.rawValue])
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO limit_settings
                (person, reset_hour, unlocks_per_day, unlocks_day, unlocks, loosening_delay)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                person.rawValue, settings.resetHour, settings.unlocksPerDay,
                settings.unlocks?.day.description, settings.unlocks?.count, settings.looseningDelay,
            ])
    }
}

extension Person {
    var limitSettings: LimitSettings {
        get {
            LimitSettings(
                resetHour: limits.resetHour, unlocksPerDay: limits.unlocksPerDay, unlocks: limits.unlocks,
                looseningDelay: looseningDelay)
        }
        set {
            limits.resetHour = newValue.resetHour
            limits.unlocksPerDay = newValue.unlocksPerDay
            limits.unlocks = newValue.unlocks
            looseningDelay = newValue.looseningDelay
        }
    }
}
