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

    /// The documents of a backup; empty if it cannot be read.
    static func documents(_ path: String) -> [Document] {
        var configuration = OpenDatabase.configuration
        configuration.readonly = true
        let queue = try? DatabaseQueue(path: path, configuration: configuration)
        return (try? queue?.read(DocumentTable.all)) ?? []
    }

    /// Throws what is wrong with a file. Changes nothing in it.
    static func check(_ path: String, log: Logger) throws {
        guard let size = fileSize(path), size > 0 else { throw StoreError.notFound(path: path) }
        try OpenDatabase.refuseOlder(path)
        var configuration = OpenDatabase.configuration
        configuration.readonly = true
        try StoreError.translating(path) {
            try DatabaseQueue(path: path, configuration: configuration).read { db in
                guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0 > 0 else {
                    throw StoreError.foreign(path: path)
                }
                try OpenDatabase.checkIdentity(db, path: path)
                try OpenDatabase.check(db, path: path, .thorough, log: log)
            }
        }
    }
}
