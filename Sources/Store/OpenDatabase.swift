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
            try self.init(
                path: path, keeping: Backups(directory: directory), seed: seed,
                checking: isSuspect ? .everything : .rules, log: log)
            opening.rules = isNew ? .new : .stored
        } catch {
            guard case .damaged(_, let reason) = error else { throw error }
            let opening = try Recovery(directory: directory, timeZone: timeZone, log: log)
                .recover(from: reason, now: now)
            try self.init(path: path, keeping: nil, seed: nil, log: log)
            self.opening = opening
            unlink(Self.suspicion(of: path))
            if let notice = opening.notice { log.error("\(notice)") }
        }
    }

    /// Read-only, for a file that exists; damage is an error.
    init(reading path: String, log: Logger) throws(StoreError) {
        guard fileSize(path) ?? 0 > 0 else { throw .notFound(path: path) }
        var configuration = Self.configuration
        configuration.readonly = true
        let queue = try Self.translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.read { db in
                try Self.checkIdentity(db, path: path)
                guard try Migrations.migrator.hasCompletedMigrations(db) else {
                    throw StoreError.older(path: path)
                }
            }
            return queue
        }
        try self.init(queue: queue, path: path, seed: nil, log: log)
    }

    init(inMemory household: Household, path: String = ":memory:", log: Logger) throws(StoreError) {
        let queue = try Self.translating(path) {
            let queue = try DatabaseQueue(configuration: Self.configuration)
            try Migrations.migrator.migrate(queue)
            return queue
        }
        try self.init(queue: queue, path: path, seed: household, log: log)
    }

    /// Opens or creates a file for writing. `seed` is stored where there is no household yet; without
    /// one its absence is damage. With `backups` a copy is kept before an older schema is changed.
    init(
        path: String, keeping backups: Backups?, seed: Household?, checking extent: Extent = .everything,
        log: Logger
    ) throws(StoreError) {
        try createPrivateFile(path)
        let queue = try Self.translating(path) {
            let queue = try DatabaseQueue(path: path, configuration: Self.configuration)
            try queue.writeWithoutTransaction { db in
                try Self.checkIdentity(db, path: path)
                try Self.check(db, path: path, extent, log: log)
                try Self.prepareDurability(db, path: path)
                try Self.mark(db)
                if let backups, let number = try Self.upgrade(db) {
                    try backups.keepBeforeUpgrade(db, path: path, to: number)
                }
            }
            try Migrations.migrator.migrate(queue)
            return queue
        }
        try self.init(queue: queue, path: path, seed: seed, log: log)
    }

    init(queue: DatabaseQueue, path: String, seed: Household?, log: Logger) throws(StoreError) {
        self.queue = queue
        self.path = path
        opening = Opening(rules: .stored)
        (household, access, version) = try Self.translating(path) {
            try queue.writeWithoutTransaction { db in
                if let seed, try HouseholdRecord.load(db, log: log) == nil {
                    try db.inTransaction(.immediate) {
                        try HouseholdRecord.write(db, from: nil, to: try seed.asStored(timeZoneWas: nil))
                        try Access.create(db)
                        return .commit
                    }
                }
                guard let household = try Self.loaded(db, path: path, log: log),
                    let access = try Access.load(db)
                else { throw StoreError.damaged(path: path, reason: "it holds no household") }
                return (household, access, try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0)
            }
        }
    }

    /// A row that nothing can do without and that cannot be read is damage.
    private static func loaded(_ db: Database, path: String, log: Logger) throws -> Household? {
        do {
            return try HouseholdRecord.load(db, log: log)
        } catch let error as UnreadableColumn {
            throw StoreError.damaged(path: path, reason: error.description)
        }
    }

    /// The number of the first version of the schema that a database lacks, as `008`; nil: it is new, or up to date.
    private static func upgrade(_ db: Database) throws -> String? {
        let applied = try Migrations.migrator.appliedIdentifiers(db)
        guard !applied.isEmpty else { return nil }
        return Migrations.all.first { !applied.contains($0.name) }.map { String($0.name.prefix(3)) }
    }

    /// A file that is there when damage was found while the server ran; then the next start reads everything.
    static func suspicion(of path: String) -> String { path + ".damaged" }

    static func translating<T>(_ path: String, _ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as DatabaseError {
            // A schema that does not hold what its version promises.
            if error.resultCode == .SQLITE_ERROR {
                throw StoreError.damaged(path: path, reason: error.message ?? "its schema is not ours")
            }
            throw StoreError(error, path: path)
        } catch {
            throw StoreError.damaged(path: path, reason: "\(error)")
        }
    }
}
