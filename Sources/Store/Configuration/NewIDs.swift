import GRDB
package import Policy

extension HouseholdStore {
    /// An id for a person who is about to be added. It was never anybody's, also not of one who was removed.
    /// To be asked for before `change`, not inside.
    package func newPersonID() throws -> PersonID { PersonID(rawValue: try reserve(1, in: "person")) }

    /// The same for a device.
    package func newDeviceID() throws -> DeviceID { DeviceID(rawValue: try reserveDeviceIDs(1)) }

    /// For all that an import adds.
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
