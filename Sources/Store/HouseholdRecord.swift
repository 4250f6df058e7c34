import Foundation
import GRDB
import Policy

/// The household's rows: read as a whole, written where they differ.
enum HouseholdRecord {
    /// Nil while the database is new.
    static func load(_ db: Database, log: ReadingLog) throws -> Household? {
        guard let row = try Row.fetchOne(db, sql: "SELECT * FROM household") else { return nil }
        return Household(
            timeZone: try row.value("time_zone"),
            newDevicesBelongTo: try row.valueIfAny("new_devices_belong_to", Int64.self).map(PersonID.init),
            offersHelp: try row.value("offers_help"), formerDNS: try row.value("former_dns"),
            unreachable: (try? row.json("unreachable")) ?? [], repeaters: (try? row.json("repeaters")) ?? [],
            notRepeaters: (try? row.json("not_repeaters")) ?? [],
            possibleRepeaters: (try? row.json("possible_repeaters")) ?? [],
            ownApps: try OwnAppRecord.all(db, log: log),
            people: try PersonRecord.all(db, log: log), devices: try DeviceRecord.all(db))
    }

    /// Rows go in parents first and out children first, so that no foreign key dangles on the way.
    static func write(_ db: Database, from old: Household?, to new: Household) throws {
        let people = Dictionary(uniqueKeysWithValues: (old?.people ?? []).map { ($0.id, $0) })
        for person in new.people { try PersonRecord.write(db, from: people[person.id], to: person) }
        if old?.columns != new.columns {
            try db.execute(
                sql: """
                    INSERT INTO household
                    (id, time_zone, new_devices_belong_to, offers_help, former_dns, unreachable, repeaters,
                     not_repeaters, possible_repeaters)
                    VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET time_zone = excluded.time_zone,
                        new_devices_belong_to = excluded.new_devices_belong_to,
                        offers_help = excluded.offers_help, former_dns = excluded.former_dns,
                        unreachable = excluded.unreachable, repeaters = excluded.repeaters,
                        not_repeaters = excluded.not_repeaters,
                        possible_repeaters = excluded.possible_repeaters
                    """,
                arguments: [
                    new.timeZone, new.newDevicesBelongTo?.rawValue, new.offersHelp, new.formerDNS,
                    try jsonText(new.unreachable.sorted()), try jsonText(new.repeaters.sorted()),
                    try jsonText(new.notRepeaters.sorted()), try jsonText(new.possibleRepeaters.sorted()),
                ])
        }
        try OwnAppRecord.write(db, from: old?.ownApps ?? [], to: new.ownApps)
        try DeviceRecord.write(db, from: old?.devices ?? [], to: new.devices)
        let kept = Set(new.people.map(\.id))
        for id in people.keys where !kept.contains(id) { try PersonRecord.delete(db, id) }
    }
}

/// The rows of the apps that the household added itself.
enum OwnAppRecord {
    static func all(_ db: Database, log: ReadingLog) throws -> [App] {
        try Row.fetchAll(db, sql: "SELECT * FROM own_app ORDER BY position").compactMap { row in
            do {
                return App(
                    id: try row.value("id"), name: try row.value("name"), category: try row.value("category"),
                    suffixes: try row.json("suffixes"), pages: try row.json("pages"),
                    foreground: try row.json("foreground"), service: try row.json("service"))
            } catch {
                log.warning("A stored app cannot be read and is left out: \(error)")
                return nil
            }
        }
    }

    static func write(_ db: Database, from old: [App], to new: [App]) throws {
        if old == new { return }
        let kept = Set(new.map(\.id))
        for app in old where !kept.contains(app.id) {
            try db.execute(sql: "DELETE FROM own_app WHERE id = ?", arguments: [app.id])
        }
        for (position, app) in new.enumerated() where old.count <= position || old[position] != app {
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO own_app
                    (id, position, name, category, suffixes, pages, foreground, service)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    app.id, position, app.name, app.category, try jsonText(app.suffixes),
                    try jsonText(app.pages), try jsonText(app.foreground), try jsonText(app.service),
                ])
        }
    }
}

extension Household {
    fileprivate struct OwnColumns: Equatable {
        var timeZone: String
        var newDevicesBelongTo: PersonID?
        var offersHelp: Bool
        var formerDNS: String
        var unreachable: Set<String>
        var repeaters: Set<String>
        var notRepeaters: Set<String>
        var possibleRepeaters: Set<String>
    }

    fileprivate var columns: OwnColumns {
        OwnColumns(
            timeZone: timeZone, newDevicesBelongTo: newDevicesBelongTo, offersHelp: offersHelp,
            formerDNS: formerDNS, unreachable: unreachable, repeaters: repeaters,
            notRepeaters: notRepeaters, possibleRepeaters: possibleRepeaters)
    }

    /// The household as rows give it back: in order of ids, instants in whole milliseconds, and no device
    /// or rule that points at a person who is gone. Throws where no row could hold it.
    func asStored(timeZoneWas known: String?) throws -> Household {
        if timeZone != known, CivilZone(timeZone) == nil {
            throw StoreError.unknownTimeZone(timeZone)
        }
        var stored = self
        let ids = Set(people.map(\.id))
        guard !ids.isEmpty else { throw StoreError.refused(reason: "a household has at least one person") }
        guard ids.count == people.count, Set(devices.map(\.id)).count == devices.count,
            Set(ownApps.map(\.id)).count == ownApps.count
        else { throw StoreError.refused(reason: "two of the household's entries bear the same id") }
        stored.people.sort { $0.id.rawValue < $1.id.rawValue }
        let known = Set(devices.map(\.id))
        for index in stored.people.indices {
            stored.people[index] = stored.people[index].asStored(devices: known)
        }
        stored.devices = devices.map { $0.asStored(people: ids, devices: known) }
            .sorted { $0.id.rawValue < $1.id.rawValue }
        if let owner = newDevicesBelongTo, !ids.contains(owner) { stored.newDevicesBelongTo = nil }
        return stored
    }
}
