import Foundation
import GRDB
import Policy

/// The rows of a person's allowed windows (AR-015), and the row that says that windows were saved at all (C-14).
enum TimeWindowRecord: ListedRecord {
    static let table = "time_window"
    static let noun = "window"

    /// No entry: never configured. A window that cannot be read is none (AR-019): where windows were saved and none of
    /// them can be read, nothing opens all day.
    static func saved(_ db: Database, log: ReadingLog) throws -> [PersonID: [TimeWindow]] {
        let lists = try all(db, log: log)
        let people = try Int64.fetchAll(db, sql: "SELECT person FROM window_schedule").map(PersonID.init)
        return Dictionary(people.map { ($0, lists[$0] ?? []) }, uniquingKeysWith: { first, _ in first })
    }

    static func write(_ db: Database, _ windows: [TimeWindow]?, of person: PersonID) throws {
        // Windows go with the row that says that there are some (ON DELETE CASCADE).
        try db.execute(sql: "DELETE FROM window_schedule WHERE person = ?", arguments: [person.rawValue])
        guard let windows else { return }
        try db.execute(sql: "INSERT INTO window_schedule (person) VALUES (?)", arguments: [person.rawValue])
        try write(db, windows, of: person)
    }

    static func element(_ row: Row) throws -> TimeWindow {
        let window = TimeWindow(
            id: try row.uuid("id"), label: try row.value("label"), start: try row.time("start"),
            end: try row.time("end"), days: try row.json("days"))
        guard window.start < window.end else { throw UnreadableColumn(column: "end") }
        guard !window.days.isEmpty else { throw UnreadableColumn(column: "days") }
        return window
    }

    static func columns(
        _ window: TimeWindow
    ) throws -> KeyValuePairs<String, (any DatabaseValueConvertible)?> {
        [
            "id": window.id.uuidString, "label": window.label, "start": window.start.description,
            "end": window.end.description, "days": try jsonText(window.days.sorted()),
        ]
    }
}
