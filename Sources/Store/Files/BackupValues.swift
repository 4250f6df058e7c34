import Foundation
import GRDB
import Logging
import Policy

extension BackupFile {
    /// Tables that are not copied: access, which may have been withdrawn since, and messages on their way to others.
    private static let leftBehind: Set = [
        "login", "api_token", "webhook_letter", "answer_link", "grdb_migrations", "sqlite_sequence",
        "shared", "unsent",
    ]

    /// Makes a database of our own schema in `path`, and copies the backup's values into it. No trigger, view or index
    /// of the file is copied, because a stranger may have made it.
    static func rebuild(_ backup: String, as path: String) throws {
        removeDatabase(path)
        try createPrivateFile(path)
        var writing = OpenDatabase.configuration
        writing.foreignKeysEnabled = false
        try StoreError.translating(backup) {
            let (old, new) = (
                try DatabaseQueue(path: backup, configuration: reading),
                try DatabaseQueue(path: path, configuration: writing)
            )
            try old.read { from in
                try OpenDatabase.checkIdentity(from, path: backup)
                try Schema.migrator.migrate(new)
                try new.writeWithoutTransaction { to in
                    try OpenDatabase.mark(to)
                    // A row that breaks a CHECK is copied: its reader handles it.
                    try to.execute(sql: "PRAGMA ignore_check_constraints = ON")
                    try to.inTransaction {
                        try copyRows(from, to, path: backup)
                        return .commit
                    }
                }
            }
            try new.close()
            try old.close()
        }
    }

    private static func copyRows(_ from: Database, _ to: Database, path: String) throws {
        let tables = try String.fetchAll(to, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        for table in tables where !leftBehind.contains(table) {
            let name = table.quotedDatabaseIdentifier
            // A table that a new database fills itself keeps its own rows.
            guard try Row.fetchOne(to, sql: "SELECT 1 FROM \(name)") == nil else { continue }
            let columns = try to.columns(in: table).map(\.name)
            guard try isPlainTable(from, table, with: columns) else {
                throw StoreError.damaged(path: path, reason: "its schema is not ours (\(table))")
            }
            let list = columns.map(\.quotedDatabaseIdentifier).joined(separator: ", ")
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            let insert = try to.makeStatement(sql: "INSERT INTO \(name) (\(list)) VALUES (\(places))")
            let rows = try Row.fetchCursor(from, sql: "SELECT \(list) FROM main.\(name) NOT INDEXED")
            while let row = try rows.next() {
                try insert.execute(arguments: StatementArguments(row.databaseValues))
            }
        }
        guard try Row.fetchOne(to, sql: "PRAGMA foreign_key_check") == nil else {
            throw StoreError.damaged(path: path, reason: "its rows contradict each other")
        }
        try to.execute(sql: "UPDATE access SET setup_code_hash = NULL")
        try checkAccess(to, path: path)
    }

    /// No view, no virtual table and no computed column: reading them would run code from the file.
    private static func isPlainTable(_ db: Database, _ table: String, with columns: [String]) throws -> Bool {
        let isTable = try Bool.fetchOne(
            db, sql: "SELECT type = 'table' FROM pragma_table_list WHERE schema = 'main' AND name = ?",
            arguments: [table])
        guard isTable == true else { return false }
        let plain = try Row.fetchAll(
            db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table])
        return Set(columns).isSubset(of: plain.map { $0["name"] as String })
    }

    private static func checkAccess(_ db: Database, path: String) throws {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT passcode_hash, length(secret) AS bytes FROM access"),
            try row.value("bytes", Int.self) == 32
        else { throw StoreError.damaged(path: path, reason: "it holds no household") }
        guard let hash = try row.valueIfAny("passcode_hash", String.self) else { return }
        guard ScryptText(hash) != nil else {
            throw StoreError.damaged(path: path, reason: "its passcode was not made by Sleep Inducer")
        }
    }
}
