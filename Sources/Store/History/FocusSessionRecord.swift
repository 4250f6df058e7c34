import Foundation
import GRDB
import Policy

/// The rows of the focus history.
enum FocusSessionRecord {
    /// Adds a session. Returns whether a row changed.
    ///
    /// - Parameter keepsKnown: a row with its id stays as it is. Otherwise the earlier end holds, in whatever order machines
    ///   hear of it.
    @discardableResult
    static func add(
        _ db: Database, _ session: FocusSession, of person: PersonID, keepsKnown: Bool = false
    ) throws -> Bool {
        try db.execute(
            sql: """
                INSERT INTO focus_session
                (person, id, start, "end", duration_seconds, preset_label, completed)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (person, id) DO UPDATE SET
                    start = excluded.start, "end" = excluded."end",
                    duration_seconds = excluded.duration_seconds, preset_label = excluded.preset_label,
                    completed = excluded.completed
                WHERE (excluded."end", excluded.duration_seconds, excluded.completed)
                    < ("end", duration_seconds, completed) AND NOT ?
                """,
            arguments: [
                person.rawValue, session.id.uuidString, session.start.milliseconds,
                session.end.milliseconds, session.durationSeconds, session.presetLabel, session.completed,
                keepsKnown,
            ])
        return db.changesCount > 0
    }

    static func remove(_ db: Database, _ id: UUID, of person: PersonID) throws -> FocusSession? {
        let arguments: StatementArguments = [person.rawValue, id.uuidString]
        let row = try Row.fetchOne(
            db, sql: "SELECT * FROM focus_session WHERE person = ? AND id = ?", arguments: arguments)
        guard let row else { return nil }
        try db.execute(sql: "DELETE FROM focus_session WHERE person = ? AND id = ?", arguments: arguments)
        return try? session(row)
    }

    /// A person's rows; unreadable rows are left out.
    static func all(
        _ db: Database, of person: PersonID, where condition: String,
        _ arguments: StatementArguments = StatementArguments()
    ) throws -> [FocusSession] {
        try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM focus_session WHERE person = ? AND \(condition)"),
            arguments: [person.rawValue] + arguments
        ).compactMap { try? session($0) }
    }

    /// Each person's session that ended last.
    static func latest(_ db: Database) throws -> [PersonID: FocusSession] {
        var latest: [PersonID: FocusSession] = [:]
        for row in try Row.fetchAll(
            db,
            sql: """
                SELECT s.* FROM person p JOIN focus_session s ON s.person = p.id AND s.id = (
                    SELECT id FROM focus_session WHERE person = p.id ORDER BY "end" DESC, id DESC LIMIT 1)
                """)
        {
            latest[PersonID(rawValue: try row.value("person"))] = try? session(row)
        }
        return latest
    }

    private static func session(_ row: Row) throws -> FocusSession {
        let session = FocusSession(
            id: try row.uuid("id"), start: try row.instant("start"), end: try row.instant("end"),
            durationSeconds: try row.value("duration_seconds"),
            presetLabel: try row.valueIfAny("preset_label"), completed: try row.value("completed"))
        guard (0...FocusTimer.totals.upperBound).contains(session.durationSeconds) else {
            throw UnreadableColumn(column: "duration_seconds")
        }
        return session
    }
}
