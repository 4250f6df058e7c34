import Foundation
import GRDB
import Policy

/// The row of a running session; one per person.
enum SleepSessionRecord {
    /// A row that is not as it was written counts as strict until the end that it still tells: damage opens nothing.
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: SleepSession] {
        var sessions: [PersonID: SleepSession] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM sleep_session") {
            guard let number: Int64 = try? row.value("person") else { continue }
            let person = PersonID(rawValue: number)
            if let session = try? session(row), session.isWhole {
                sessions[person] = session
            } else {
                log.damagedSessions.insert(person)
                sessions[person] = mended(row, lastInstant: log.lastInstant)
            }
        }
        return sessions
    }

    static func write(_ db: Database, _ session: SleepSession?, of person: PersonID) throws {
        guard let session else {
            return try db.execute(
                sql: "DELETE FROM sleep_session WHERE person = ?", arguments: [person.rawValue])
        }
        try db.execute(
            sql: """
                INSERT INTO sleep_session
                (person, id, mode, strictness, started_at, ends_at, is_active, cancels_at, allowed, night)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (person) DO UPDATE SET id = excluded.id, mode = excluded.mode,
                    strictness = excluded.strictness, started_at = excluded.started_at,
                    ends_at = excluded.ends_at, is_active = excluded.is_active,
                    cancels_at = excluded.cancels_at, allowed = excluded.allowed, night = excluded.night
                """,
            arguments: [
                person.rawValue, session.id.uuidString, try jsonText(session.mode),
                session.strictness.rawValue, session.startedAt.milliseconds, session.endsAt.milliseconds,
                session.isActive, session.cancelsAt?.milliseconds,
                try jsonText(session.allowed.sorted), session.night?.description,
            ])
    }

    private static func session(_ row: Row) throws -> SleepSession {
        guard let strictness = StrictnessMode(rawValue: try row.value("strictness")) else {
            throw UnreadableColumn(column: "strictness")
        }
        return SleepSession(
            id: try row.uuid("id"), mode: try row.json("mode"), strictness: strictness,
            startedAt: try row.instant("started_at"), endsAt: try row.instant("ends_at"),
            isActive: try row.value("is_active"), cancelsAt: try row.instantIfAny("cancels_at"),
            allowed: try row.json("allowed"), night: try row.night("night"))
    }
}

extension SleepSessionRecord {
    /// What can be told of a damaged row.
    private static func mended(_ row: Row, lastInstant: Date?) -> SleepSession {
        let startedAt = (try? row.instant("started_at")) ?? lastInstant ?? .distantPast
        let endsAt = (try? row.instant("ends_at")) ?? startedAt
        return .mended(
            id: (try? row.uuid("id")) ?? UUID(), mode: try? row.json("mode"), startedAt: startedAt,
            endsAt: endsAt,
            allowed: (try? row.json("allowed")) ?? AppSelection(), night: try? row.night("night"),
            lastInstant: lastInstant)
    }
}

extension SleepSession {
    /// The session with its instants as a row keeps them.
    var asStored: SleepSession {
        SleepSession(
            id: id, mode: mode, strictness: strictness, startedAt: startedAt.asStored,
            endsAt: endsAt.asStored, isActive: isActive, cancelsAt: cancelsAt?.asStored, allowed: allowed,
            night: night)
    }
}
