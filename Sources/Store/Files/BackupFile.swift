import Foundation
import GRDB
import Logging

/// A whole copy of the database in one file.
enum BackupFile {
    /// Copies what is committed into `path`, whole or not at all.
    static func copy(_ db: Database, to path: String) throws {
        try makeDirectory((path as NSString).deletingLastPathComponent)
        let new = path + ".new"
        removeDatabase(new)
        do {
            // SQLite fills an existing empty file and keeps its permissions.
            try createPrivateFile(new)
            try db.execute(sql: "VACUUM INTO ?", arguments: [new])
            try replace(path, by: new)
        } catch {
            removeDatabase(new)
            throw error
        }
    }

    /// Throws `newer` or `foreign` if a database is not of this version. Changes nothing in it.
    static func checkVersion(_ path: String) throws {
        var configuration = OpenDatabase.configuration
        configuration.readonly = true
        try StoreError.translating(path) {
            try DatabaseQueue(path: path, configuration: configuration).read {
                try OpenDatabase.checkIdentity($0, path: path)
            }
        }
    }

    /// The documents of a backup, and the number of its last change; nil if it cannot be read.
    static func record(_ path: String) -> LastKnown.Record? {
        try? DatabaseQueue(path: path, configuration: reading).read { db in
            LastKnown.Record(revision: try Revision.load(db), documents: try DocumentTable.all(db))
        }
    }

    /// Reads a file, computes nothing that only it says, and changes nothing in it.
    static var reading: Configuration {
        var configuration = OpenDatabase.configuration
        configuration.readonly = true
        configuration.prepareDatabase {
            try $0.execute(sql: "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON")
        }
        return configuration
    }

    /// Every table and index of our schema, word for word.
    private static let ours: Set<String> = {
        guard let queue = try? DatabaseQueue(), (try? Schema.migrator.migrate(queue)) != nil else {
            return []
        }
        return (try? queue.read(objects)) ?? []
    }()

    private static func objects(_ db: Database) throws -> Set<String> {
        try String.fetchSet(
            db,
            sql:
                "SELECT type || char(10) || name || char(10) || tbl_name || char(10) || sql FROM sqlite_schema WHERE sql IS NOT NULL"
        )
    }

    /// Throws what is wrong with a file. Changes nothing in it.
    ///
    /// A check for damage computes what indexes, constraints and columns of the file say. Where they are not ours, only what
    /// `rebuild` makes of it is checked.
    static func check(_ path: String, log: Logger) throws {
        guard let size = fileSize(path), size > 0 else { throw StoreError.notFound(path: path) }
        try OpenDatabase.refuseOlder(path)
        try StoreError.translating(path) {
            try DatabaseQueue(path: path, configuration: reading).read { db in
                guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else {
                    throw StoreError.foreign(path: path)
                }
                try OpenDatabase.checkIdentity(db, path: path)
                if try objects(db).isSubset(of: ours) {
                    try OpenDatabase.check(db, path: path, .thorough, log: log)
                }
            }
        }
    }
}
