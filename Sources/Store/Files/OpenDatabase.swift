import Foundation
import GRDB
import Logging
import Policy

/// A database that was opened, checked, brought to the newest schema and read.
struct OpenDatabase {
    let queue: DatabaseQueue
    let path: String
    var opening: Opening
    var household: Household
    let access: Access
    let version: Int64
    let revision: Int64
    /// What an earlier start found.
    let damage: Damage?

    /// Opens the database of a directory whose lock we hold; recovers from a damaged one.
    init(directory: String, now: Date, timeZone: String, log: Logger) throws(StoreError) {
        let path = databasePath(directory)
        do throws(StoreError) {
            if let reason = Recovery.whatIsMissing(directory) {
                throw StoreError.damaged(path: path, reason: reason)
            }
            let isNew = fileSize(path) ?? 0 == 0
            let seed = LastKnown.exists(directory) ? nil : Household.new(timeZone: timeZone)
            let isSuspect = fileSize(Self.suspicion(of: path)) != nil
            let copy = LastKnown.record(directory)
            try self.init(
                path: path, seed: seed, checking: isSuspect ? .everything : .rules, copy: copy,
                isCopyDamaged: LastKnown.isDamaged(directory, copy), at: now,
                older: {
                    Recovery.newestGoodBackup(directory, at: now, log: log).flatMap(BackupFile.record)
                }, log: log)
            opening.rules = isNew ? .new : .stored
            if let notice = opening.notice { log.error("\(notice)") }
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            let opening = try Recovery(directory: directory, timeZone: timeZone, log: log)
                .recover(from: reason, now: now)
            try self.init(path: path, seed: nil, log: log)
            self.opening = opening
            unlink(Self.suspicion(of: path))
            if let notice = opening.notice { log.error("\(notice)") }
        }
    }

    /// Read-only, for a file that exists; damage is an error.
    init(reading path: String, at now: Date? = nil, log: Logger) throws(StoreError) {
        guard fileSize(path) ?? 0 > 0 else { throw .notFound(path: path) }
        try Self.refuseOlder(path)
        // Read before the rows, so that a running server cannot make the copy look newer than they are.
        let copy = LastKnown.record((path as NSString).deletingLastPathComponent)
        var configuration = Self.configuration
        configuration.readonly = true
        let queue = try Self.translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                try Self.checkIdentity(db, path: path)
                guard try Schema.migrator.hasCompletedMigrations(db) else { throw Self.empty(path) }
            }
            return queue
        }
        try self.init(queue: queue, path: path, seed: nil, copy: copy, at: now, isReadOnly: true, log: log)
    }

    init(inMemory household: Household, path: String = ":memory:", log: Logger) throws(StoreError) {
        let queue = try Self.translating(path) {
            let queue = try DatabaseQueue(configuration: Self.configuration)
            try Schema.migrator.migrate(queue)
            return queue
        }
        try self.init(queue: queue, path: path, seed: household, log: log)
    }

    /// Opens or creates a file for writing. `seed` is stored if there is no household yet. Without a seed, a missing
    /// household is damage.
    init(
        path: String, seed: Household?, checking extent: Extent = .everything,
        copy: LastKnown.Record? = nil, isCopyDamaged: Bool = false, at now: Date? = nil,
        older: () -> LastKnown.Record? = { nil }, log: Logger
    ) throws(StoreError) {
        try createPrivateFile(path)
        let queue = try Self.translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            try queue.writeWithoutTransaction { db in
                try Self.checkIdentity(db, path: path)
                try Self.check(db, path: path, extent, log: log)
                try Self.prepareDurability(db, path: path)
                try Self.mark(db)
            }
            try Schema.migrator.migrate(queue)
            return queue
        }
        try self.init(
            queue: queue, path: path, seed: seed, copy: copy, isCopyDamaged: isCopyDamaged, at: now,
            older: older, log: log)
    }

    /// - Parameters:
    ///   - copy: the record to compare the rows with (`Reading`); nil: none.
    ///   - now: by the machine's clock; nil: the last instant in the database is enough.
    init(
        queue: DatabaseQueue, path: String, seed: Household?, copy: LastKnown.Record? = nil,
        isCopyDamaged: Bool = false, at now: Date? = nil, isReadOnly: Bool = false,
        older: () -> LastKnown.Record? = { nil }, log: Logger
    ) throws(StoreError) {
        self.queue = queue
        self.path = path
        opening = Opening(rules: .stored)
        let reading: Reading
        (reading, revision, access, version, damage) = try Self.translating(path) {
            try queue.writeWithoutTransaction { db in
                if let seed, try Row.fetchOne(db, sql: "SELECT 1 FROM document") == nil {
                    try db.inTransaction(.immediate) {
                        try DocumentTable.write(db, from: nil, to: try seed.asStored(after: nil))
                        try Access.create(db)
                        return .commit
                    }
                }
                guard let known = try Access.load(db) else { throw Self.empty(path) }
                let counted = try Revision.load(db)
                let rows = try DocumentTable.all(db)
                guard !rows.isEmpty else { throw Self.empty(path) }
                let reading = Reading(
                    rows, revision: counted, owners: try DocumentTable.owners(db), copy: copy,
                    isCopyDamaged: isCopyDamaged, lastInstant: known.lastInstant,
                    at: max(now ?? .distantPast, known.lastInstant ?? .distantPast), older: older)
                guard let reading else { throw Self.empty(path) }
                let revision = max(counted, reading.revision)
                if reading.isToBeWritten || revision > counted, !isReadOnly {
                    try Self.write(reading, db, path: path, revision: revision)
                }
                guard let access = try Access.load(db) else { throw Self.empty(path) }
                return (
                    reading, revision, access, try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0,
                    try Damage.load(db)
                )
            }
        }
        household = reading.household
        let directory = (path as NSString).deletingLastPathComponent
        opening.damage = reading.damage + (copy == nil ? LastKnown.damage(directory) : [])
    }

    private static func empty(_ path: String) -> StoreError {
        .damaged(path: path, reason: "it holds no household")
    }

    /// Rows that cannot be corrected are damaged beyond repair: it throws then.
    private static func write(
        _ reading: Reading, _ db: Database, path: String, revision: Int64
    ) throws {
        do {
            try db.inTransaction(.immediate) {
                try reading.write(db, revision: revision)
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
            throw StoreError.damaged(path: path, reason: error.message ?? "its rows contradict each other")
        }
    }

    /// This file exists if damage was found while the server ran; the next start then reads everything.
    static func suspicion(of path: String) -> String { path + ".damaged" }

    static func translating<T>(_ path: String, _ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            // The schema is not what its version promises.
            if error.resultCode == .SQLITE_ERROR {
                throw StoreError.damaged(path: path, reason: error.message ?? "its schema is not ours")
            }
            throw StoreError(error, path: path)
        } catch {
            throw StoreError.damaged(path: path, reason: "\(error)")
        }
    }
}
