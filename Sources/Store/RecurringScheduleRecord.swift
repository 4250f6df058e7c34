import GRDB
import Policy

/// The rows of a person's nightly schedule, its exceptions, and what was decided for tonight.
enum RecurringScheduleRecord {
    /// A schedule that cannot be read is logged and counts as none (SI-029).
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: RecurringSchedule] {
        var schedules: [PersonID: RecurringSchedule] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM recurring_schedule") {
            do {
                schedules[PersonID(rawValue: try row.value("person"))] = RecurringSchedule(
                    isEnabled: try row.value("is_enabled"), start: try row.time("start"),
                    end: try row.time("end"), strictness: try row.strictness("strictness"),
                    days: try row.json("days"))
            } catch {
                log.warning("A stored schedule cannot be read and counts as none: \(error)")
            }
        }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM schedule_exception ORDER BY person, position") {
            do {
                schedules[PersonID(rawValue: try row.value("person"))]?.exceptions.append(
                    ScheduleException(
                        days: try row.json("days"), start: try row.time("start"), end: try row.time("end")))
            } catch {
                log.warning("A stored exception of a schedule cannot be read and is left out: \(error)")
            }
        }
        return schedules
    }

    static func write(_ db: Database, _ schedule: RecurringSchedule?, of person: PersonID) throws {
        // Exceptions go with their schedule (ON DELETE CASCADE).
        try db.execute(sql: "DELETE FROM recurring_schedule WHERE person = ?", arguments: [person.rawValue])
        guard let schedule else { return }
        try db.execute(
            sql: """
                INSERT INTO recurring_schedule (person, is_enabled, start, "end", strictness, days)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                person.rawValue, schedule.isEnabled, schedule.start.description, schedule.end.description,
                schedule.strictness.rawValue, try jsonText(schedule.days.sorted()),
            ])
        for (position, exception) in schedule.exceptions.enumerated() {
            try db.execute(
                sql: """
                    INSERT INTO schedule_exception (person, position, days, start, "end")
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    person.rawValue, position, try jsonText(exception.days.sorted()),
                    exception.start.description, exception.end.description,
                ])
        }
    }
}

enum TonightChangeRecord {
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: TonightChange] {
        var changes: [PersonID: TonightChange] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM tonight_change") {
            do {
                let kind = TonightChange.Kind(rawValue: try row.value("kind"))
                guard let kind, let night = try row.night("night") else {
                    throw UnreadableColumn(column: "kind")
                }
                changes[PersonID(rawValue: try row.value("person"))] = TonightChange(
                    night: night, kind: kind, minutes: try row.value("minutes"))
            } catch {
                log.warning("A stored change of one night cannot be read and is left out: \(error)")
            }
        }
        return changes
    }

    static func write(_ db: Database, _ change: TonightChange?, of person: PersonID) throws {
        guard let change else {
            return try db.execute(
                sql: "DELETE FROM tonight_change WHERE person = ?", arguments: [person.rawValue])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO tonight_change (person, night, kind, minutes) VALUES (?, ?, ?, ?)",
            arguments: [person.rawValue, change.night.description, change.kind.rawValue, change.minutes])
    }
}
