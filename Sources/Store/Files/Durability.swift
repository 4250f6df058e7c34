import Foundation
import GRDB
import Logging

extension OpenDatabase {
    /// How long a transaction waits for another program that writes, in seconds.
    static let busyTimeout: TimeInterval = 5
    /// The same for a change that may hold in memory: a person who is locked out waits for it.
    static let urgentTimeout: TimeInterval = 0.25

    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "store"
        configuration.foreignKeysEnabled = true
        configuration.busyMode = .timeout(busyTimeout)
        configuration.prepareDatabase { db in
            // A fault in a mapped page raises a signal, not an error that the program could handle.
            try db.execute(sql: "PRAGMA mmap_size = 0")
            try db.execute(sql: "PRAGMA cell_size_check = ON")
            try db.execute(sql: "PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    /// Write-ahead log, and every commit on the disk before it is acknowledged; both read back, because
    /// SQLite ignores what it cannot do.
    static func prepareDurability(_ db: Database, path: String) throws {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw StoreError.cannotOpen(path: path, reason: "it has no write-ahead log (\(mode ?? "none"))")
        }
        try db.execute(sql: "PRAGMA synchronous = FULL")
        try db.execute(sql: "PRAGMA journal_size_limit = 4194304")
        guard try Int.fetchOne(db, sql: "PRAGMA synchronous") == 2,
            try Int.fetchOne(db, sql: "PRAGMA foreign_keys") == 1
        else { throw StoreError.cannotOpen(path: path, reason: "its commits would not be durable") }
    }

    /// Refuses a database of an earlier build before anything is written beside it.
    static func refuseOlder(_ path: String) throws(StoreError) {
        guard fileSize(path) ?? 0 > 0 else { return }
        var configuration = configuration
        configuration.readonly = true
        // A damaged file passes here, because it is mended later.
        let queue = try? DatabaseQueue(path: immutable(path), configuration: configuration)
        if (try? queue?.read(Schema.isOld)) == true { throw .older(path: path) }
    }

    /// Refuses files of other programs, of earlier builds and of later versions.
    static func checkIdentity(_ db: Database, path: String) throws {
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        let mark = try Int64.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        guard tables > 0 else { return }
        guard mark == Schema.applicationID else { throw StoreError.foreign(path: path) }
        guard try !Schema.isOld(db) else { throw StoreError.older(path: path) }
        guard try !Schema.migrator.hasBeenSuperseded(db) else { throw StoreError.newer(path: path) }
    }

    /// Marks a new file as ours. A marked file is left as it is.
    static func mark(_ db: Database) throws {
        guard try Int64.fetchOne(db, sql: "PRAGMA application_id") != Schema.applicationID else { return }
        try db.execute(sql: "PRAGMA application_id = \(Schema.applicationID)")
    }

    /// How much of the database is read to find damage.
    enum Extent {
        /// Every page of every table but those of usage, which are a hundred times as large and hold no rule: what
        /// a start must know before it blocks.
        case rules
        /// Every page.
        case everything
        /// Every page, and every index against its table.
        case thorough
    }

    /// Looks for damage. A row that breaks a CHECK was written past the schema; it is logged, and its
    /// reader knows what to do. Anything else is damage.
    static func check(_ db: Database, path: String, _ extent: Extent, log: Logger) throws {
        for pragma in try pragmas(extent, db) {
            for line in try String.fetchAll(db, sql: pragma) where line != "ok" {
                guard line.hasPrefix("CHECK constraint failed") else {
                    throw StoreError.damaged(path: path, reason: line)
                }
                log.warning("The database holds a row that its schema does not allow: \(line)")
            }
        }
    }

    private static func pragmas(_ extent: Extent, _ db: Database) throws -> [String] {
        switch extent {
        case .everything: return ["PRAGMA quick_check(20)"]
        case .thorough: return ["PRAGMA integrity_check(20)"]
        case .rules:
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
            return tables.filter { !UsageRecord.tables.contains($0) }.map {
                "PRAGMA quick_check(\($0.quotedDatabaseIdentifier))"
            }
        }
    }
}

extension Database {
    /// Sets how long to wait for another program's lock.
    func wait(atMost seconds: TimeInterval) throws {
        try execute(sql: "PRAGMA busy_timeout = \(Int(seconds * 1_000))")
    }
}
