package import Foundation
import GRDB
package import Policy

/// A session that is over: the history of a person's nights and manual sessions.
package struct PastSession: Codable, Hashable, Sendable, Identifiable {
    package enum Outcome: String, Codable, Sendable {
        case ended, cancelled, reset
        /// Another session took its place.
        case replaced
    }

    package let id: UUID
    package let person: PersonID
    package let mode: ScheduleMode
    package let strictness: StrictnessMode
    package let startedAt: Date
    /// When it would have ended by itself.
    package let endsAt: Date
    package let night: CivilDate?
    package let outcome: Outcome
    /// When it did end, by the log entry of the same change; nil without an entry.
    package let endedAt: Date?

    /// Whether this end of a session counts, and not another one that a machine noted: the earlier one.
    func precedes(_ other: PastSession) -> Bool {
        (endedAt ?? endsAt, outcome.rawValue) < (other.endedAt ?? other.endsAt, other.outcome.rawValue)
    }
}

/// The rows of sessions that are over, written when a session leaves its person.
enum PastSessionRecord {
    /// Sessions that left their person between two states of the household.
    static func ended(from old: Household, to new: Household, entries: [LogEntry]) -> [PastSession] {
        new.changedPeople(since: old).compactMap { before, person in
            guard let session = before.session, session.id != person.session?.id else { return nil }
            let (outcome, instant) = ending(of: person, entries: entries)
            return PastSession(
                id: session.id, person: person.id, mode: session.mode, strictness: session.strictness,
                startedAt: session.startedAt, endsAt: session.endsAt, night: session.night, outcome: outcome,
                endedAt: instant)
        }
    }

    /// Several machines may have ended one session while they were cut off. The earliest end holds on all of them
    /// (`precedes`), in whatever order they hear of it.
    static func write(_ db: Database, _ session: PastSession) throws {
        try db.execute(
            sql: """
                INSERT INTO past_session
                (id, person, mode, strictness, started_at, ends_at, night, outcome, ended_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET
                    mode = excluded.mode, strictness = excluded.strictness, started_at = excluded.started_at,
                    ends_at = excluded.ends_at, night = excluded.night, outcome = excluded.outcome,
                    ended_at = excluded.ended_at
                WHERE (ifnull(excluded.ended_at, excluded.ends_at), excluded.outcome)
                    < (ifnull(ended_at, ends_at), outcome)
                """,
            arguments: [
                session.id.uuidString, session.person.rawValue, try jsonText(session.mode),
                session.strictness.rawValue, session.startedAt.milliseconds, session.endsAt.milliseconds,
                session.night?.description, session.outcome.rawValue, session.endedAt?.milliseconds,
            ])
    }

    private static func ending(
        of person: Person, entries: [LogEntry]
    ) -> (PastSession.Outcome, Date?) {
        for entry in entries where entry.person == person.id {
            switch entry.kind {
            case .sessionEnded: return (.ended, entry.instant)
            case .sessionCancelled: return (.cancelled, entry.instant)
            case .sessionReset: return (.reset, entry.instant)
            default: continue
            }
        }
        return (person.session == nil ? .ended : .replaced, nil)
    }

    static func past(_ row: Row) throws -> PastSession {
        guard let id = UUID(uuidString: try row.value("id")),
            let outcome = PastSession.Outcome(rawValue: try row.value("outcome"))
        else { throw UnreadableColumn(column: "id") }
        return PastSession(
            id: id, person: PersonID(rawValue: try row.value("person")), mode: try row.json("mode"),
            strictness: try row.strictness("strictness"), startedAt: try row.instant("started_at"),
            endsAt: try row.instant("ends_at"), night: try row.night("night"), outcome: outcome,
            endedAt: try row.instantIfAny("ended_at"))
    }
}

extension HouseholdStore {
    /// Past sessions of a person that started before an instant, newest first.
    package func pastSessions(
        of person: PersonID, before: Date? = nil, limit: Int = 50
    ) throws -> [PastSession] {
        try read { db in
            try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT * FROM past_session WHERE person = ? AND started_at < ?
                        ORDER BY started_at DESC, id LIMIT ?
                        """),
                arguments: [person.rawValue, before?.milliseconds ?? .max, limit]
            ).compactMap { try? PastSessionRecord.past($0) }
        }
    }
}

extension HouseholdStore {
    /// The morning after a person's last night, or, while a session runs, the morning that comes if it runs to its
    /// end. Nil if neither counts.
    package func morning(of person: Person, in zone: CivilZone, at now: Date) throws -> Morning? {
        let running = person.runningSession(at: now).map(PastNight.init(ifKept:))
        // Almost always no night ended in the last two hours; then the newest few rows say so.
        let newest = running == nil ? try pastSessions(of: person.id, limit: 10).map(PastNight.init) : []
        guard let at = running?.end ?? (Morning(after: newest, at: now, in: zone).map { _ in now }) else {
            return nil
        }
        let past = try pastSessions(of: person.id, limit: 400).map(PastNight.init)
        return Morning(after: past + [running].compactMap { $0 }, at: at, in: zone)
    }
}

extension PastNight {
    package init(_ past: PastSession) {
        let ending: Ending =
            switch past.outcome {
            case .ended, .replaced: .kept
            case .cancelled: .cancelled
            case .reset: .reset
            }
        self.init(
            start: past.startedAt, end: past.end, plannedEnd: past.endsAt,
            isScheduled: past.night != nil, ending: ending)
    }
}

extension SessionEvent {
    /// The end of a session; without a log entry, the instant at which it was noticed.
    package init(_ past: PastSession, noticedAt now: Date) {
        let reason: Reason =
            switch past.outcome {
            // A pause: the rest of the night is a session of its own.
            case .ended where past.endedAt.map { $0 < past.endsAt } ?? false: .paused
            case .ended, .replaced: .elapsed
            case .cancelled: .cancelled
            case .reset: .reset
            }
        self.init(
            kind: .ended(reason: reason), person: past.person,
            session: SleepSession(
                id: past.id, mode: past.mode, strictness: past.strictness, startedAt: past.startedAt,
                endsAt: past.endsAt, isActive: false, allowed: AppSelection(), night: past.night),
            instant: past.endedAt ?? now)
    }
}
