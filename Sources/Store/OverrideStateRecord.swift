import GRDB
import Policy

/// The row of a person's override (AR-016); none while it was never used.
enum OverrideStateRecord {
    /// A row that cannot be read is logged and counts as an empty state (AR-020).
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: OverrideState] {
        var states: [PersonID: OverrideState] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM override_state") {
            do {
                states[PersonID(rawValue: try row.value("person"))] = OverrideState(
                    lastUsedDate: try row.instantIfAny("last_used_date"),
                    overrideExpiresAt: try row.instantIfAny("override_expires_at"))
            } catch {
                log.warning("A stored override cannot be read and counts as none: \(error)")
            }
        }
        return states
    }

    static func write(_ db: Database, _ state: OverrideState, of person: PersonID) throws {
        guard state != OverrideState() else {
            return try db.execute(
                sql: "DELETE FROM override_state WHERE person = ?", arguments: [person.rawValue])
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO override_state (person, last_used_date, override_expires_at)
                VALUES (?, ?, ?)
                """,
            arguments: [
                person.rawValue, state.lastUsedDate?.milliseconds, state.overrideExpiresAt?.milliseconds,
            ])
    }
}

extension OverrideState {
    /// The state with its instants as a row keeps them.
    var asStored: OverrideState {
        OverrideState(
            lastUsedDate: lastUsedDate?.asStored, overrideExpiresAt: overrideExpiresAt?.asStored)
    }
}
