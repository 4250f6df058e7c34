package import Foundation
import GRDB
package import Policy

/// The known minutes of a day, and the token that sent them.
package struct ReceivedUpload: Hashable, Sendable {
    /// Nil: this server sent them to itself.
    package var token: APIToken.ID?
    package var date: CivilDate
    package var minutes: Int
    package var source: String
    package var timezone: String
    package var computedAt: Date
    package var receivedAt: Date

    package init(
        token: APIToken.ID?, date: CivilDate, minutes: Int, source: String, timezone: String,
        computedAt: Date, receivedAt: Date
    ) {
        self.token = token
        self.date = date
        self.minutes = minutes
        self.source = source
        self.timezone = timezone
        self.computedAt = computedAt
        self.receivedAt = receivedAt
    }
}

/// The last report of a person's device about itself, and the token that sent it.
package struct ReceivedConnection: Hashable, Sendable {
    package var token: APIToken.ID?
    package var isEnabled: Bool
    package var timezone: String
    package var selection: WireSelection?
    package var receivedAt: Date

    package init(
        token: APIToken.ID?, isEnabled: Bool, timezone: String, selection: WireSelection?, receivedAt: Date
    ) {
        self.token = token
        self.isEnabled = isEnabled
        self.timezone = timezone
        self.selection = selection
        self.receivedAt = receivedAt
    }
}

extension HouseholdStore {
    /// The app id under which a person's uploaded minutes are in usage.
    package static let verifiedUse = "verified-minutes"

    /// Stores the minutes of a person's day in place of earlier ones, whichever token sent them. A repeated
    /// upload changes no figure.
    package func receive(
        _ upload: VerifiedUpload, with token: APIToken.ID?, for person: PersonID, at now: Date
    ) throws -> UploadOutcome {
        try inLine { db in
            var outcome: UploadOutcome?
            try commit(db) {
                let known = try Int.fetchOne(
                    db,
                    sql: "SELECT minutes FROM verified_upload WHERE person = ? AND date = ?",
                    arguments: [person.rawValue, upload.date.description])
                let made = UploadOutcome(minutes: upload.verifiedMinutes, known: known)
                outcome = made
                try VerifiedUploadRecord.write(db, upload, token, person, at: now)
                if made.status != .unchanged { try noteUse(db, upload, of: person, at: now) }
            }
            guard let outcome else { throw StoreError.busy }
            return outcome
        }
    }

    private func noteUse(
        _ db: Database, _ upload: VerifiedUpload, of person: PersonID, at now: Date
    ) throws {
        let today = (CivilZone(household.timeZone) ?? .utc).date(of: now)
        guard upload.date >= today.adding(days: -UsageRecord.daysKept) else { return }
        var batch = UsageBatch()
        batch.days = [
            UsageDay(
                person: person, date: upload.date, app: Self.verifiedUse, minutes: upload.verifiedMinutes,
                source: .upload)
        ]
        try UsageRecord.write(db, batch, people: [person])
    }

    /// Stores a device's report about itself in place of its earlier one.
    package func receive(
        _ connection: VerifiedConnection, with token: APIToken.ID?, for person: PersonID, at now: Date
    ) throws {
        try inLine { db in
            try commit(db) {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO verified_connection VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        person.rawValue, token ?? 0, connection.enabled, connection.timezone,
                        now.milliseconds,
                    ])
                try VerifiedUploadRecord.write(db, connection.selection, "connection", token, person)
            }
        }
    }

    /// The latest days first.
    package func receivedUploads(of person: PersonID, limit: Int = 10) throws -> [ReceivedUpload] {
        try read { try VerifiedUploadRecord.uploads($0, of: person, limit: limit) }
    }

    package func receivedConnection(of person: PersonID) throws -> ReceivedConnection? {
        try read { try VerifiedUploadRecord.connection($0, of: person) }
    }
}

/// The rows of received uploads and reports.
enum VerifiedUploadRecord {
    static func write(
        _ db: Database, _ upload: VerifiedUpload, _ token: APIToken.ID?, _ person: PersonID, at now: Date
    ) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO verified_upload
                (person, token, date, minutes, source, time_zone, computed_at, received_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                person.rawValue, token ?? 0, upload.date.description, upload.verifiedMinutes, upload.source,
                upload.timezone, upload.computedAt.milliseconds, now.milliseconds,
            ])
        try write(db, upload.selection, "upload", token, person)
    }

    /// The latest only: it can be large, and changes rarely.
    static func write(
        _ db: Database, _ selection: WireSelection, _ use: String, _ token: APIToken.ID?, _ person: PersonID
    ) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO verified_selection VALUES (?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                person.rawValue, token ?? 0, use, selection.encodedPlistBase64,
                selection.applicationTokenCount, selection.categoryTokenCount, selection.webDomainTokenCount,
            ])
    }

    static func uploads(_ db: Database, of person: PersonID, limit: Int) throws -> [ReceivedUpload] {
        try Row.fetchAll(
            db,
            sql: "SELECT * FROM verified_upload WHERE person = ? ORDER BY date DESC LIMIT ?",
            arguments: [person.rawValue, limit]
        ).compactMap { row in
            try? ReceivedUpload(
                token: row.token(), date: row.day("date"), minutes: row.value("minutes"),
                source: row.value("source"), timezone: row.value("time_zone"),
                computedAt: row.instant("computed_at"), receivedAt: row.instant("received_at"))
        }
    }

    static func connection(_ db: Database, of person: PersonID) throws -> ReceivedConnection? {
        try Row.fetchOne(
            db,
            sql: """
                SELECT c.*, s.encoded, s.applications, s.categories, s.web_domains FROM verified_connection c
                LEFT JOIN verified_selection s
                ON s.person = c.person AND s.sent_with = 'connection'
                WHERE c.person = ?
                """,
            arguments: [person.rawValue]
        ).flatMap { row in
            // An earlier version stored text that is no Base64; the other columns are still true.
            try? ReceivedConnection(
                token: row.token(), isEnabled: row.value("is_enabled"), timezone: row.value("time_zone"),
                selection: try? selection(row), receivedAt: row.instant("received_at"))
        }
    }

    private static func selection(_ row: Row) throws -> WireSelection? {
        guard let encoded: String = try row.valueIfAny("encoded") else { return nil }
        return try WireSelection(
            version: WireSelection.version, encodedPlistBase64: encoded,
            applicationTokenCount: row.value("applications"), categoryTokenCount: row.value("categories"),
            webDomainTokenCount: row.value("web_domains"))
    }
}

extension Row {
    fileprivate func token() throws -> APIToken.ID? {
        let number: Int64 = try value("token")
        return number == 0 ? nil : number
    }
}
