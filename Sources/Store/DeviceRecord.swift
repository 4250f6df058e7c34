import Foundation
import GRDB
import Policy

/// A device's row and the rows of its addresses.
enum DeviceRecord {
    static func all(_ db: Database) throws -> [Device] {
        var addresses: [Int64: [String]] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "SELECT device, address FROM device_address ORDER BY device, position")
        while let row = try rows.next() {
            addresses[try row.value("device"), default: []].append(try row.value("address"))
        }
        return try Row.fetchAll(db, sql: "SELECT * FROM device ORDER BY id").map { row in
            let id: Int64 = try row.value("id")
            return Device(
                id: DeviceID(rawValue: id), name: try row.value("name"),
                kind: Device.Kind(rawValue: try row.value("kind")) ?? .other,
                person: try row.valueIfAny("person", Int64.self).map(PersonID.init),
                isConfirmed: try row.value("confirmed"),
                addresses: addresses[id] ?? [], hardwareAddress: try row.valueIfAny("hardware_address"),
                firstSeen: try row.instant("first_seen"), lastSeen: try row.instant("last_seen"),
                helpUntil: try row.instantIfAny("help_until"),
                tryUntil: try row.instantIfAny("try_until"))
        }
    }

    /// Writes what differs: first everything that frees an address, then everything that takes one.
    static func write(_ db: Database, from old: [Device], to new: [Device]) throws {
        if old == new { return }
        let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let kept = Set(new.map(\.id))
        for device in old where !kept.contains(device.id) {
            try db.execute(sql: "DELETE FROM device WHERE id = ?", arguments: [device.id.rawValue])
        }
        let changed = new.filter { before[$0.id] != $0 }
        for device in changed {
            guard let stored = before[device.id] else { continue }
            if stored.addresses != device.addresses {
                try db.execute(
                    sql: "DELETE FROM device_address WHERE device = ?", arguments: [device.id.rawValue])
            }
            if let address = stored.hardwareAddress, address != device.hardwareAddress {
                try db.execute(
                    sql: "UPDATE device SET hardware_address = NULL WHERE id = ?",
                    arguments: [device.id.rawValue])
            }
        }
        for device in changed { try write(db, from: before[device.id], to: device) }
    }

    private static let upsert = """
        INSERT INTO device
            (id, name, kind, person, confirmed, hardware_address, first_seen, last_seen, help_until, try_until)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, kind = excluded.kind,
            person = excluded.person, confirmed = excluded.confirmed, hardware_address = excluded.hardware_address,
            first_seen = excluded.first_seen, last_seen = excluded.last_seen,
            help_until = excluded.help_until, try_until = excluded.try_until
        """

    private static func write(_ db: Database, from old: Device?, to new: Device) throws {
        // Prepared once: a minute's sightings can be of thousands.
        try db.cachedStatement(sql: upsert).execute(arguments: [
            new.id.rawValue, new.name, new.kind.rawValue, new.person?.rawValue, new.isConfirmed,
            new.hardwareAddress, new.firstSeen.milliseconds, new.lastSeen.milliseconds,
            new.helpUntil?.milliseconds, new.tryUntil?.milliseconds,
        ])
        guard old?.addresses ?? [] != new.addresses else { return }
        for (position, address) in new.addresses.enumerated() {
            try db.cachedStatement(
                sql: "INSERT INTO device_address (address, device, position) VALUES (?, ?, ?)"
            ).execute(arguments: [address, new.id.rawValue, position])
        }
    }
}

extension Device {
    /// The device with its instants as a row keeps them, and no owner that does not exist.
    func asStored(people: Set<PersonID>) -> Device {
        var device = self
        device.firstSeen = firstSeen.asStored
        device.lastSeen = lastSeen.asStored
        device.helpUntil = helpUntil?.asStored
        device.tryUntil = tryUntil?.asStored
        if let owner = person, !people.contains(owner) { device.person = nil }
        return device
    }
}
