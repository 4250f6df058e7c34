import Foundation
import GRDB
import Logging
import Policy

/// The rows of a person's allowed windows (AR-015), and the row that says that windows were saved at all (C-14).
enum TimeWindowRecord: ListedRecord {
    static let table = "time_window"
    static let noun = "window"

    /// No entry: never configured. Where windows were saved and none of them can be read, it is as if they had not been
    /// (AR-019): what is broken blocks nobody all day.
    static func saved(_ db: Database, log: Logger) throws -> [PersonID: [TimeWindow]] {
        let lists = try all(db, log: log)
        let counts = try Row.fetchAll(
            db,
            sql: """
                SELECT person, (SELECT count(*) FROM time_window WHERE person = s.person) AS windows
                FROM window_schedule AS s
                """)
        var saved: [PersonID: [TimeWindow]] = [:]
        for row in counts {
            let person = PersonID(rawValue: try row.value("person"))
            let count: Int = try row.value("windows")
            saved[person] = count == 0 ? [] : lists[person]
        }
        return saved
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
