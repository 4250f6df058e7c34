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

extension HouseholdStore {
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
