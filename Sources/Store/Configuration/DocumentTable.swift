import Foundation
import GRDB
import Policy

/// The rows of documents, and the rows of people and devices, to which history refers.
enum DocumentTable {
    /// Leaves out rows whose kind this version does not know.
    static func all(_ db: Database) throws -> [Document] {
        try Row.fetchAll(db, sql: "SELECT * FROM document").compactMap { row in
            guard let kind = Document.Kind(rawValue: try row.value("kind")) else { return nil }
            return Document(
                kind: kind, id: try row.value("id"), json: try row.value("json"),
                digest: try row.value("digest"))
        }
    }

    /// The rows to which history refers: people, and when each device was seen last.
    struct Owners {
        var people: Set<PersonID> = []
        var seen: [DeviceID: Date] = [:]
    }

    static func owners(_ db: Database) throws -> Owners {
        let people = try Int64.fetchAll(db, sql: "SELECT id FROM person").map(PersonID.init)
        let rows = try Row.fetchAll(db, sql: "SELECT id, last_seen FROM device").map { row in
            (DeviceID(rawValue: try row.value("id")), try row.instant("last_seen"))
        }
        return Owners(people: Set(people), seen: Dictionary(rows, uniquingKeysWith: { first, _ in first }))
    }

    /// Writes the documents that differ. The same transaction moves finished focus sessions into the history, once
    ///.
    static func write(_ db: Database, from old: Household?, to new: Household) throws {
        let changes = EntityChanges(from: old, to: new.withHistoryWritten)
        try writeOwners(db, from: old, to: new)
        for person in new.people {
            for session in person.focus.finished { try FocusSessionRecord.add(db, session, of: person.id) }
        }
        for (key, entity) in changes.put { try put(db, Document(key, json: try entity.json())) }
        for key in changes.removed { try remove(db, key) }
    }

    static func put(_ db: Database, _ document: Document) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO document (kind, id, json, digest) VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET json = excluded.json, digest = excluded.digest
                """
        ).execute(arguments: [document.kind.rawValue, document.id, document.json, document.digest])
    }

    static func remove(_ db: Database, _ key: Document.Key) throws {
        try db.execute(
            sql: "DELETE FROM document WHERE kind = ? AND id = ?", arguments: [key.kind.rawValue, key.id])
        // History that refers to them goes with them.
        switch key.kind {
        case .house, .session: return
        case .person: try db.execute(sql: "DELETE FROM person WHERE id = ?", arguments: [key.id])
        case .device: try db.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [key.id])
        }
    }

    /// Writes the rows of people and devices, so that history can refer to them, and when devices were seen.
    static func writeOwners(_ db: Database, from old: Household?, to new: Household) throws {
        let people = Set(old?.people.map(\.id) ?? [])
        for person in new.people where !people.contains(person.id) {
            try db.execute(
                sql: "INSERT INTO person (id) VALUES (?) ON CONFLICT DO NOTHING",
                arguments: [person.id.rawValue])
        }
        if old?.devices == new.devices { return }
        let seen = Dictionary(uniqueKeysWithValues: (old?.devices ?? []).map { ($0.id, $0.lastSeen) })
        for device in new.devices where seen[device.id] != device.lastSeen {
            // Prepared once: one minute can bring sightings of thousands of devices.
            try db.cachedStatement(
                sql: """
                    INSERT INTO device (id, last_seen) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET last_seen = excluded.last_seen
                    """
            ).execute(arguments: [device.id.rawValue, device.lastSeen.milliseconds])
        }
    }
}

extension Focus {
    /// The same after its finished sessions are written to the history.
    fileprivate var withHistoryWritten: Focus {
        var written = self
        written.finished = []
        return written
    }
}

extension Household {
    /// The same after everybody's finished sessions are written to the history.
    var withHistoryWritten: Household {
        guard people.indices.contains(where: { !people[$0].focus.finished.isEmpty }) else { return self }
        var written = self
        for index in people.indices { written.people[index].focus = people[index].focus.withHistoryWritten }
        return written
    }
}
