import GRDB
package import Policy
import Synchronization

extension HouseholdStore {
    /// An id for a person who is about to be added. No person ever had it, removed ones included. Call it before
    /// `change`, not inside.
    package func newPersonID() throws -> PersonID { PersonID(rawValue: try reserve(1, in: "person")) }

    /// The same for a device.
    package func newDeviceID() throws -> DeviceID { DeviceID(rawValue: try reserveDeviceIDs(1)) }

    /// The ids of all people and devices that an import adds.
    package func newNumbers(for plan: ImportPlan) throws -> ImportPlan.Numbers {
        let (devices, people) = (plan.newDevices, plan.people.count)
        let firstDevice = devices > 0 ? try reserveDeviceIDs(devices) : 0
        let firstPerson = people > 0 ? try reserve(people, in: "person") : 0
        return ImportPlan.Numbers(
            devices: (0..<Int64(devices)).map { DeviceID(rawValue: firstDevice + $0) },
            people: (0..<Int64(people)).map { PersonID(rawValue: firstPerson + $0) })
    }

    /// The first of `count` ids that no device ever had.
    func reserveDeviceIDs(_ count: Int) throws -> Int64 { try reserve(count, in: "device") }

    private func reserve(_ count: Int, in table: String) throws -> Int64 {
        try StoreError.translating(path) {
            try queue.write { db in
                if let node = state.withLock({ $0.sharing?.node }) {
                    return try NodeNumbers.reserve(db, count, in: table, of: Int64(node))
                }
                let last = try Int64.fetchOne(
                    db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table])
                if last == nil {
                    try db.execute(
                        sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, 0)", arguments: [table])
                }
                try db.execute(
                    sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = ?", arguments: [count, table])
                return (last ?? 0) + 1
            }
        }
    }
}

/// Each node has numbers of its own, a million of each kind, so that no two nodes give out the same number.
private enum NodeNumbers {
    private static let size: Int64 = 1_000_000

    static func reserve(_ db: Database, _ count: Int, in table: String, of node: Int64) throws -> Int64 {
        let key = "numbers-\(table)"
        let (first, end) = (node * size, (node + 1) * size)
        let given = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
            .flatMap(Int64.init)
            // If this machine was another node before, the row holds that node's last number.
            .flatMap { (first..<end).contains($0) ? $0 : nil }
        // Numbers that were given out before the household was on several machines count too.
        let used = try Int64.fetchOne(
            db,
            sql: """
                SELECT max(id) FROM (SELECT id FROM \(table.quotedDatabaseIdentifier)
                UNION ALL SELECT seq FROM sqlite_sequence WHERE name = ?) WHERE id >= ? AND id < ?
                """,
            arguments: [table, first, end])
        let last = max(given ?? first, used ?? first)
        guard last + Int64(count) < end else {
            throw StoreError.refused(reason: "this machine has no numbers left")
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)", arguments: [key, "\(last + Int64(count))"])
        return last + 1
    }
}
