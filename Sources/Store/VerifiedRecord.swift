import Foundation
import GRDB
import Policy

/// The rows of a person's verified minutes but for the token, which no value of the rules ever holds (DD-042).
enum VerifiedRecord {
    /// Each part for itself: what cannot be read is logged and counts as none.
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: VerifiedMinutes] {
        var all: [PersonID: VerifiedMinutes] = [:]
        for (person, productive) in try AppSelectionRecord.all(db, .productive, log: log) {
            all[person, default: VerifiedMinutes()].productive = productive
        }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM verification") {
            guard let person: Int64 = try? row.value("person") else { continue }
            read(row, into: &all[PersonID(rawValue: person), default: VerifiedMinutes()], log: log)
        }
        for row in try Row.fetchAll(db, sql: "SELECT person, key, value FROM shared_default") {
            guard let person: Int64 = try? row.value("person") else { continue }
            part("shared value", log) {
                try SharedDefault.read(
                    key: row.value("key"), value: row.value("value"),
                    into: &all[PersonID(rawValue: person), default: VerifiedMinutes()])
            }
        }
        return all
    }

    private static func read(_ row: Row, into verified: inout VerifiedMinutes, log: ReadingLog) {
        part("zone of verified minutes", log) {
            guard let zone: String = try row.valueIfAny("time_zone") else { return }
            guard CivilZone(zone) != nil else { throw UnreadableColumn(column: "time_zone") }
            verified.timeZone = zone
        }
        part("server for uploads", log) {
            verified.server = try row.valueIfAny("server", String.self).map { try VerifiedServer(typed: $0) }
        }
        part("result of an upload", log) {
            verified.stagedAt = try row.instantIfAny("staged_at")
            verified.upload = try row.document("upload")
            verified.sync = try row.document("sync")
        }
    }

    private static func part(_ noun: String, _ log: ReadingLog, _ read: () throws -> Void) {
        do { try read() } catch {
            log.warning("A stored \(noun) cannot be read and counts as none: \(error)")
        }
    }

    static func write(
        _ db: Database, from old: VerifiedMinutes, to new: VerifiedMinutes, of person: PersonID
    ) throws {
        if old == new { return }
        if old.productive != new.productive {
            try AppSelectionRecord.write(db, new.productive, .productive, of: person)
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO verification (person, time_zone, server, staged_at, upload, sync)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                person.rawValue, new.timeZone, new.server?.base, new.stagedAt?.milliseconds,
                try new.upload.map(documentText), try new.sync.map(documentText),
            ])
        let (known, values) = (try SharedDefault.values(of: old), try SharedDefault.values(of: new))
        for key in SharedDefault.allCases where known[key] != values[key] {
            try SharedDefault.write(db, key, values[key], of: person)
        }
    }
}

/// The values of the app group, under its own keys (DD-007, DD-012, DD-013, DD-031).
enum SharedDefault: String, CaseIterable {
    case request = "dd.screentime.request.v1"
    case snapshot = "dd.screentime.snapshot.v1"
    case invoked = "dd_ext_invoked_ts"
    case completed = "dd_ext_completed_ts"

    static let suite = "group.com.disciplinedungeon.shared"

    /// As JSON texts; the two instants are seconds since 1970.
    static func values(of verified: VerifiedMinutes) throws -> [SharedDefault: String] {
        var values: [SharedDefault: String] = [:]
        values[.request] = try verified.request.map(documentText)
        values[.snapshot] = try verified.snapshot.map(documentText)
        values[.invoked] = verified.invokedAt.map { "\($0.asStored.timeIntervalSince1970)" }
        values[.completed] = verified.completedAt.map { "\($0.asStored.timeIntervalSince1970)" }
        return values
    }

    static func read(key: String, value: String, into verified: inout VerifiedMinutes) throws {
        let data = Data(value.utf8)
        func seconds() throws -> Date {
            Date(timeIntervalSince1970: try JSONDecoder().decode(Double.self, from: data)).asStored
        }
        switch SharedDefault(rawValue: key) {
        case .request:
            verified.request = try HouseholdDocument.decoder.decode(
                ScreenTimeComputationRequest.self, from: data)
        case .snapshot:
            verified.snapshot = try HouseholdDocument.decoder.decode(ScreenTimeSnapshot.self, from: data)
        case .invoked: verified.invokedAt = try seconds()
        case .completed: verified.completedAt = try seconds()
        case nil: throw UnreadableColumn(column: "key")
        }
    }

    static func write(_ db: Database, _ key: SharedDefault, _ value: String?, of person: PersonID) throws {
        try db.execute(
            sql: "DELETE FROM shared_default WHERE person = ? AND suite = ? AND key = ?",
            arguments: [person.rawValue, suite, key.rawValue])
        guard let value else { return }
        try db.execute(
            sql: "INSERT INTO shared_default VALUES (?, ?, ?, ?)",
            arguments: [person.rawValue, suite, key.rawValue, value])
    }
}

func documentText(_ value: some Encodable) throws -> String {
    String(decoding: try HouseholdDocument.encoder.encode(value), as: UTF8.self)
}

extension Row {
    fileprivate func document<T: Decodable>(_ column: String) throws -> T? {
        try valueIfAny(column, String.self).map {
            try HouseholdDocument.decoder.decode(T.self, from: Data($0.utf8))
        }
    }
}

extension VerifiedMinutes {
    /// With every instant as a row keeps it.
    var asStored: VerifiedMinutes {
        var stored = self
        stored.stagedAt = stagedAt?.asStored
        stored.snapshot?.computedAt = snapshot?.computedAt.asStored ?? Date(milliseconds: 0)
        stored.invokedAt = invokedAt?.asStored
        stored.completedAt = completedAt?.asStored
        stored.upload?.at = upload?.at.asStored ?? Date(milliseconds: 0)
        stored.sync?.at = sync?.at.asStored ?? Date(milliseconds: 0)
        return stored
    }
}
