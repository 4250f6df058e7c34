import Foundation
import GRDB
import Policy

/// The rows of a list that every person has one of, in a table with `person` and `position`.
protocol ListedRecord {
    associatedtype Element

    static var table: String { get }
    /// What a row is, for the log.
    static var noun: String { get }
    static func element(_ row: Row) throws -> Element
    /// What a row holds beside `person` and `position`.
    static func columns(_ element: Element) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?>
}

extension ListedRecord {
    /// A row that cannot be read is logged and left out.
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: [Element]] {
        var lists: [PersonID: [Element]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM \(table) ORDER BY person, position") {
            do {
                lists[PersonID(rawValue: try row.value("person")), default: []].append(try element(row))
            } catch {
                log.warning("A stored \(noun) cannot be read and is left out: \(error)")
            }
        }
        return lists
    }

    /// Replaces the list, and with it rows that could not be read.
    static func write(_ db: Database, _ elements: [Element], of person: PersonID) throws {
        try db.execute(sql: "DELETE FROM \(table) WHERE person = ?", arguments: [person.rawValue])
        for (position, element) in elements.enumerated() {
            let columns = try columns(element)
            let names = columns.map { ", \"\($0.key)\"" }.joined()
            let places = String(repeating: ", ?", count: columns.count)
            try db.execute(
                sql: "INSERT INTO \(table) (person, position\(names)) VALUES (?, ?\(places))",
                arguments: [person.rawValue, position] + StatementArguments(columns.map(\.value)))
        }
    }
}

extension Row {
    func uuid(_ column: String) throws -> UUID {
        guard let id = UUID(uuidString: try value(column)) else { throw UnreadableColumn(column: column) }
        return id
    }

    /// The civil date of a column that is never empty.
    func day(_ column: String) throws -> CivilDate {
        guard let day = try night(column) else { throw UnreadableColumn(column: column) }
        return day
    }

    func target() throws -> LimitTarget {
        guard let target = LimitTarget(kind: try value("target_kind"), id: try value("target")) else {
            throw UnreadableColumn(column: "target_kind")
        }
        return target
    }
}

extension LimitTarget {
    /// Nil for a kind that is none.
    init?(kind: String, id: String) {
        switch kind {
        case "app": self = .app(id)
        case "category": self = .category(id)
        default: return nil
        }
    }
}
