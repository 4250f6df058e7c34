package import Foundation
import GRDB

/// A database of another program, read from its bytes and never changed.
///
/// Only ordinary columns of ordinary tables are read: a view or a computed column would run what a stranger wrote.
package struct ForeignDatabase: Sendable {
    /// The bytes are no database, or a damaged one.
    package struct Fault: Error {
        package init() {}
    }

    /// Rows of one table that are read at most.
    package static let mostRows = 20_000

    private let queue: DatabaseQueue
    private let path: String

    /// - Parameter bytes: are written to a file of our own until `close`.
    package init(_ bytes: Data) throws(Fault) {
        guard bytes.count >= 512, bytes.starts(with: Data("SQLite format 3\0".utf8)) else { throw Fault() }
        path =
            FileManager.default.temporaryDirectory.appendingPathComponent(
                "sleep-inducer-\(UUID().uuidString).foreign"
            ).path
        do {
            try createPrivateFile(path)
            try bytes.write(to: URL(fileURLWithPath: path))
            var configuration = Configuration()
            configuration.readonly = true
            configuration.prepareDatabase { db in
                try db.execute(
                    sql: "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
            }
            queue = try DatabaseQueue(path: path, configuration: configuration)
            let verdict = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            guard verdict == "ok" else { throw Fault() }
        } catch {
            removeDatabase(path)
            throw Fault()
        }
    }

    package func close() {
        try? queue.close()
        removeDatabase(path)
    }

    /// The rows of a table, each with a text per column as SQLite writes it, empty for NULL and for a column that the table
    /// does not have. Nil if there is no such table.
    package func rows(of table: String, _ columns: [String]) throws(Fault) -> [[String]]? {
        do {
            return try queue.read { db -> [[String]]? in
                let isTable = try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? AND rootpage > 0
                        """, arguments: [table])
                guard isTable == true else { return nil }
                let known = try Row.fetchAll(
                    db, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", arguments: [table]
                ).compactMap { row -> String? in row["name"] }
                let list = columns.map { column in
                    known.contains(column) ? "CAST(\(column.quotedDatabaseIdentifier) AS TEXT)" : "''"
                }
                return try Row.fetchAll(
                    db,
                    sql: """
                        SELECT \(list.joined(separator: ", ")) FROM main.\(table.quotedDatabaseIdentifier)
                        LIMIT \(Self.mostRows)
                        """
                ).map { row in columns.indices.map { row[$0] ?? "" } }
            }
        } catch { throw Fault() }
    }
}
