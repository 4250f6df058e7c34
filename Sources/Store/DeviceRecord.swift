import Foundation
import GRDB
import Policy

/// A device's row and the rows of its addresses.
enum DeviceRecord {
    static func all(_ db: Database) throws -> [Device] {
        let addresses = try lists(db, in: "device_address")
        let former = try lists(db, in: "former_hardware")
        let leaves = try leaves(db)
        var apart: [Int64: Set<DeviceID>] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT device, other FROM told_apart") {
            apart[try row.value("device"), default: []].insert(DeviceID(rawValue: try row.value("other")))
        }
        return try Row.fetchAll(db, sql: "SELECT * FROM device ORDER BY id").map { row in
            let id: Int64 = try row.value("id")
            return Device(
                id: DeviceID(rawValue: id), name: try row.value("name"), isNamed: try row.value("named"),
                networkName: try row.valueIfAny("network_name"),
                kind: Device.Kind(rawValue: try row.value("kind")) ?? .other,
                person: try row.valueIfAny("person", Int64.self).map(PersonID.init),
                isConfirmed: try row.value("confirmed"),
                addresses: addresses[id] ?? [], hardwareAddress: try row.valueIfAny("hardware_address"),
                formerHardwareAddresses: former[id] ?? [], toldApart: apart[id] ?? [],
                firstSeen: try row.instant("first_seen"), lastSeen: try row.instant("last_seen"),
                helpUntil: try row.instantIfAny("help_until"),
                helpMessagesFrom: try row.instantIfAny("help_messages_from"),
                tryUntil: try row.instantIfAny("try_until"),
                trustedAuthority: try row.valueIfAny("trusted_authority"),
                hasNoMobileData: try row.value("no_mobile_data"), departure: try departure(row),
                left: try left(row), leaves: leaves[id] ?? [])
        }
    }

    /// The addresses of every device in a table of theirs, in their order.
    private static func lists(_ db: Database, in table: String) throws -> [Int64: [String]] {
        var addresses: [Int64: [String]] = [:]
        let rows = try Row.fetchCursor(
            db, sql: "SELECT device, address FROM \(table) ORDER BY device, position")
        while let row = try rows.next() {
            addresses[try row.value("device"), default: []].append(try row.value("address"))
        }
        return addresses
    }

    private static func departure(_ row: Row) throws -> Departure? {
        guard let asked = try row.instantIfAny("leave_asked_at"), let due = try row.instantIfAny("leave_due")
        else { return nil }
        return Departure(askedAt: asked, due: due)
    }

    /// The times that somebody left on every device, oldest first.
    private static func leaves(_ db: Database) throws -> [Int64: [Left]] {
        var leaves: [Int64: [Left]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM device_leave ORDER BY at, rowid") {
            let left = Left(person: PersonID(rawValue: try row.value("person")), at: try row.instant("at"))
            leaves[try row.value("device"), default: []].append(left)
        }
        return leaves
    }

    private static func left(_ row: Row) throws -> Left? {
        guard let person = try row.valueIfAny("left_by", Int64.self), let at = try row.instantIfAny("left_at")
        else { return nil }
        return Left(person: PersonID(rawValue: person), at: at)
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
            if stored.addresses != device.addresses { try clear("device_address", of: device, db) }
            if stored.formerHardwareAddresses != device.formerHardwareAddresses {
                try clear("former_hardware", of: device, db)
            }
            if stored.toldApart != device.toldApart { try clear("told_apart", of: device, db) }
            if let address = stored.hardwareAddress, address != device.hardwareAddress {
                try db.execute(
                    sql: "UPDATE device SET hardware_address = NULL WHERE id = ?",
                    arguments: [device.id.rawValue])
            }
        }
        for device in changed { try write(db, from: before[device.id], to: device) }
        // Devices that they speak of have their rows by now.
        for device in changed where before[device.id]?.toldApart ?? [] != device.toldApart {
            for other in device.toldApart.intersection(kept) {
                try db.execute(
                    sql: "INSERT INTO told_apart (device, other) VALUES (?, ?)",
                    arguments: [device.id.rawValue, other.rawValue])
            }
        }
    }

    private static func clear(_ table: String, of device: Device, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM \(table) WHERE device = ?", arguments: [device.id.rawValue])
    }

    private static let upsert = """
        INSERT INTO device
            (id, name, named, network_name, kind, person, confirmed, hardware_address, first_seen, last_seen, help_until,
            help_messages_from, try_until, trusted_authority, no_mobile_data, leave_asked_at, leave_due, left_by, left_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET name = excluded.name, named = excluded.named,
            network_name = excluded.network_name, kind = excluded.kind,
            person = excluded.person, confirmed = excluded.confirmed, hardware_address = excluded.hardware_address,
            first_seen = excluded.first_seen, last_seen = excluded.last_seen,
            help_until = excluded.help_until, help_messages_from = excluded.help_messages_from, try_until = excluded.try_until,
            trusted_authority = excluded.trusted_authority, no_mobile_data = excluded.no_mobile_data,
            leave_asked_at = excluded.leave_asked_at, leave_due = excluded.leave_due,
            left_by = excluded.left_by, left_at = excluded.left_at
        """

    private static func write(_ db: Database, from old: Device?, to new: Device) throws {
        // Prepared once: a minute's sightings can be of thousands.
        try db.cachedStatement(sql: upsert).execute(arguments: [
            new.id.rawValue, new.name, new.isNamed, new.networkName, new.kind.rawValue, new.person?.rawValue,
            new.isConfirmed, new.hardwareAddress, new.firstSeen.milliseconds, new.lastSeen.milliseconds,
            new.helpUntil?.milliseconds, new.helpMessagesFrom?.milliseconds, new.tryUntil?.milliseconds,
            new.trustedAuthority,
            new.hasNoMobileData, new.departure?.askedAt.milliseconds, new.departure?.due.milliseconds,
            new.left?.person.rawValue, new.left?.at.milliseconds,
        ])
        if old?.addresses ?? [] != new.addresses {
            try write(db, new.addresses, of: new, into: "device_address")
        }
        if old?.formerHardwareAddresses ?? [] != new.formerHardwareAddresses {
            try write(db, new.formerHardwareAddresses, of: new, into: "former_hardware")
        }
        if old?.leaves ?? [] != new.leaves { try writeLeaves(db, of: new) }
    }

    private static func writeLeaves(_ db: Database, of device: Device) throws {
        try clear("device_leave", of: device, db)
        for left in device.leaves {
            try db.execute(
                sql: "INSERT INTO device_leave (device, person, at) VALUES (?, ?, ?)",
                arguments: [device.id.rawValue, left.person.rawValue, left.at.milliseconds])
        }
    }

    private static func write(
        _ db: Database, _ addresses: [String], of device: Device, into table: String
    ) throws {
        for (position, address) in addresses.enumerated() {
            try db.cachedStatement(
                sql: "INSERT INTO \(table) (address, device, position) VALUES (?, ?, ?)"
            ).execute(arguments: [address, device.id.rawValue, position])
        }
    }
}

extension Device {
    /// The device with its instants as a row keeps them, and no owner and no other that does not exist.
    func asStored(people: Set<PersonID>, devices: Set<DeviceID>) -> Device {
        var device = self
        device.toldApart.formIntersection(devices)
        device.firstSeen = firstSeen.asStored
        device.lastSeen = lastSeen.asStored
        device.helpUntil = helpUntil?.asStored
        device.helpMessagesFrom = helpMessagesFrom?.asStored
        device.tryUntil = tryUntil?.asStored
        device.departure = departure.map {
            Departure(askedAt: $0.askedAt.asStored, due: $0.due.asStored)
        }
        device.left = left.flatMap { people.contains($0.person) ? $0.asStored : nil }
        device.leaves = leaves.filter { people.contains($0.person) }.map(\.asStored)
        if let owner = person, !people.contains(owner) { device.person = nil }
        return device
    }
}

extension Left {
    fileprivate var asStored: Left { Left(person: person, at: at.asStored) }
}
