import GRDB
import Policy

/// Counts the household's changes, in the database and in `last-known.json`, so that it tells which of the two is
/// older. 0 if nothing was counted yet or the count cannot be read.
enum Revision {
    private static let key = "revision"

    static func load(_ db: Database) throws -> Int64 {
        let text = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
        return text.flatMap(Int64.init) ?? 0
    }

    static func write(_ db: Database, _ revision: Int64) throws {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)")
            .execute(arguments: [key, "\(revision)"])
    }
}

extension HouseholdStore.State {
    /// The number of a change that is about to be stored.
    var nextRevision: Int64 { max(storedRevision, Int64(revision)) + 1 }
}

extension Household {
    /// Whether only the devices' last sightings differ, which `Revision` does not count as a change.
    func isSame(as other: Household) -> Bool {
        func still(_ household: Household) -> Household {
            var household = household
            for index in household.devices.indices {
                household.devices[index].lastSeen = household.devices[index].firstSeen
            }
            return household
        }
        return devices == other.devices ? self == other : still(self) == still(other)
    }
}
