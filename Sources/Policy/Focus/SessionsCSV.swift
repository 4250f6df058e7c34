import Foundation

/// The history as a table (RFC 4180): the keys of `sessions.json` as columns, one line for each session.
package enum SessionsCSV {
    package static let header = ["id", "start", "durationSeconds", "presetLabel", "completed"]

    /// Lines end with CR LF, the last one too.
    package static func text(_ sessions: [FocusSession]) -> String {
        let rows = sessions.map { session in
            [
                session.id.uuidString, session.start.formatted(.iso8601), String(session.durationSeconds),
                session.presetLabel ?? "", String(session.completed),
            ]
        }
        return ([header] + rows).map { $0.map(cell).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Quoted if needed. A cell that a spreadsheet would read as a formula gets an apostrophe in front.
    static func cell(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let safe =
            scalars.first.map { "=+-@\t\r\n＝＋－＠".unicodeScalars.contains($0) } == true ? "'\(text)" : text
        guard scalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return safe }
        return "\"\(safe.replacing("\"", with: "\"\""))\""
    }
}
