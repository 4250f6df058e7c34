import Foundation
import GRDB
import Policy

/// A column that does not hold what its table promises.
struct UnreadableColumn: Error, CustomStringConvertible {
    let column: String
    var description: String { "column \(column) cannot be read" }
}

extension Row {
    /// The column's value, or an error where GRDB's own subscript would stop the program.
    func value<T: DatabaseValueConvertible>(_ column: String, _: T.Type = T.self) throws -> T {
        let stored: DatabaseValue = self[column]
        guard let value = T.fromDatabaseValue(stored) else { throw UnreadableColumn(column: column) }
        return value
    }

    func valueIfAny<T: DatabaseValueConvertible>(_ column: String, _: T.Type = T.self) throws -> T? {
        let stored: DatabaseValue = self[column]
        return stored.isNull ? nil : try value(column)
    }

    func instant(_ column: String) throws -> Date { Date(milliseconds: try value(column)) }

    func instantIfAny(_ column: String) throws -> Date? {
        try valueIfAny(column, Int64.self).map(Date.init(milliseconds:))
    }

    func json<T: Decodable>(_ column: String, _: T.Type = T.self) throws -> T {
        try JSONDecoder().decode(T.self, from: Data(value(column, String.self).utf8))
    }

    func night(_ column: String) throws -> CivilDate? {
        guard let text: String = try valueIfAny(column) else { return nil }
        guard let night = CivilDate(text) else { throw UnreadableColumn(column: column) }
        return night
    }

    func uuid(_ column: String) throws -> UUID {
        guard let id = UUID(uuidString: try value(column)) else { throw UnreadableColumn(column: column) }
        return id
    }

    /// The civil date in a column that is never empty.
    func day(_ column: String) throws -> CivilDate {
        guard let day = try night(column) else { throw UnreadableColumn(column: column) }
        return day
    }

    /// Unknown words read as flexible.
    func strictness(_ column: String) throws -> StrictnessMode {
        try valueIfAny(column, String.self).flatMap(StrictnessMode.init) ?? .flexible
    }
}

extension Date {
    /// Since 1970, to the nearest; every stored instant is whole milliseconds.
    var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        return Int64(min(max(exact, -9e15), 9e15))
    }

    init(milliseconds: Int64) {
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    /// The instant as it is after it was stored and read.
    var asStored: Date { Date(milliseconds: milliseconds) }
}

/// JSON text with sorted keys, so that equal values are equal text.
func jsonText(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
}
