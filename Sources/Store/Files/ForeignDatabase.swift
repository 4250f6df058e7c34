package import Foundation
import GRDB
import GRDBSQLite

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

    /// - Parameter bytes: are held in memory until `close`, and never in a file.
    package init(_ bytes: Data) throws(Fault) {
        guard bytes.count >= 512, bytes.starts(with: Data("SQLite format 3\0".utf8)) else { throw Fault() }
        do {
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                try Self.load(bytes, into: db)
                // A CHECK of the file would be computed while it is read for damage.
                try db.execute(
                    sql: """
                        PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
                        PRAGMA ignore_check_constraints = ON; PRAGMA query_only = ON
                        """)
            }
            queue = try DatabaseQueue(configuration: configuration)
            let verdict = try queue.read { try String.fetchOne($0, sql: "PRAGMA quick_check(1)") }
            guard verdict == "ok" else { throw Fault() }
        } catch { throw Fault() }
    }

    private static func load(_ bytes: Data, into db: Database) throws {
        let size = sqlite3_int64(bytes.count)
        guard let memory = sqlite3_malloc64(sqlite3_uint64(size)) else { throw Fault() }
        bytes.copyBytes(to: memory.assumingMemoryBound(to: UInt8.self), count: bytes.count)
        // Bytes 18 and 19 may say that it has a write-ahead log, which there is not in memory (sqlite3_deserialize).
        memory.storeBytes(of: 0x0101, toByteOffset: 18, as: UInt16.self)
        let flags = SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY
        let status = sqlite3_deserialize(
            db.sqliteConnection, "main", memory.assumingMemoryBound(to: UInt8.self), size, size,
            UInt32(flags))
        guard status == SQLITE_OK else { throw Fault() }
    }

    package func close() { try? queue.close() }

    /// The rows of a table, each with a text per column as SQLite writes it, empty for NULL and for a column that the table
    /// does not have. Nil if there is no such table.
    package func rows(of table: String, _ columns: [String]) throws(Fault) -> [[String]]? {
        do {
            return try queue.read { db -> [[String]]? in
                let isTable = try Bool.fetchOne(
                    db,
                    sql: """
                        SELECT type = 'table' FROM pragma_table_list WHERE schema = 'main' AND name = ?
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
                        SELECT \(list.joined(separator: ", ")) FROM main.\(table.quotedDatabaseIdentifier) NOT INDEXED
                        LIMIT \(Self.mostRows)
                        """
                ).map { row in columns.indices.map { row[$0] ?? "" } }
            }
        } catch { throw Fault() }
    }
}
