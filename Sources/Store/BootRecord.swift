package import Foundation
import GRDB

/// When a boot of this machine began, by the server's clock. A later process of the same boot continues from it.
enum BootRecord {
    private static let key = "boot"

    /// Nil if the row is of another boot.
    static func load(_ db: Database, boot: String) throws -> Date? {
        let text = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
        guard let parts = text?.split(separator: " "), parts.count == 2, parts[0] == boot,
            let milliseconds = Int64(parts[1])
        else { return nil }
        return Date(milliseconds: milliseconds)
    }

    static func write(_ db: Database, boot: String, start: Date) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)",
            arguments: [key, "\(boot) \(start.milliseconds)"])
    }
}

extension HouseholdStore {
    /// The noted begin of a boot, by its id; nil: none was noted.
    package func start(ofBoot boot: String) -> Date? {
        try? read { try BootRecord.load($0, boot: boot) }
    }

    package func setStart(ofBoot boot: String, to start: Date) throws {
        try inLine { db in try commit(db) { try BootRecord.write(db, boot: boot, start: start) } }
    }
}
