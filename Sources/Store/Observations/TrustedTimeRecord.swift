package import Foundation
import GRDB
import Policy
import Synchronization

/// The row that a restart begins with.
enum TrustedTimeRecord {
    private static let key = "trusted instant"

    /// What was believed last; in a database of an earlier version the last instant that was noted.
    static func load(_ db: Database, lastInstant: Date?) throws -> TrustedTime {
        let text = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [key])
        let stored = text.flatMap(Int64.init).map { Date(timeIntervalSince1970: Double($0) / 1000) }
        return TrustedTime(stored ?? lastInstant)
    }

    static func write(_ db: Database, _ instant: Date) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)", arguments: [key, "\(instant.milliseconds)"])
    }
}

/// When a boot of this machine began by what was believed: a later process of the same boot goes on from there.
enum BootRecord {
    private static let key = "boot"

    /// Nil for another boot than the one that was noted last.
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
    /// When a boot began, by its id, as was noted last; nil: nothing was noted of it.
    package func start(ofBoot boot: String) -> Date? {
        try? read { try BootRecord.load($0, boot: boot) }
    }

    package func setStart(ofBoot boot: String, to start: Date) throws {
        try inLine { db in try commit(db) { try BootRecord.write(db, boot: boot, start: start) } }
    }

    /// The one gate before anything old is forgotten (log, usage, what limits remember, backups): `now`, or earlier
    /// while the clock claims more than uptime explains.
    package func trusted(at now: Date) -> Date { min(now, trust.withLock { $0.instant } ?? now) }

    /// Begins with what a database knows that was just opened.
    func noteTrust(in opened: OpenDatabase) {
        let known = try? opened.queue.read {
            try TrustedTimeRecord.load($0, lastInstant: opened.access.lastInstant)
        }
        trust.withLock { $0 = known ?? TrustedTime(opened.access.lastInstant) }
    }

    /// Takes note of what the clock says; uptime in seconds. `setLastInstant` writes it.
    package func note(_ now: Date, uptime: TimeInterval, isSynchronised: Bool) {
        trust.withLock { $0.note(now, uptime: uptime, isSynchronised: isSynchronised) }
    }
}
