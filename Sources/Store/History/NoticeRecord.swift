import Foundation
import GRDB
import Logging
import Policy

/// The rows of notices, and of this server's last known place in the network.
enum NoticeRecord {
    /// An unreadable row is left out: its finding comes back at the next look.
    static func board(_ db: Database) throws -> NoticeBoard {
        let notices = try Row.fetchAll(db, sql: "SELECT * FROM notice ORDER BY since, kind, subject")
            .compactMap { try? notice($0) }
        var place = KnownPlace()
        for row in try Row.fetchAll(db, sql: "SELECT * FROM remembered") {
            guard let remembered = try? remembered(row) else { continue }
            switch try row.value("what", String.self) {
            case "address": place.address = remembered
            default: place.upstreams = remembered
            }
        }
        return NoticeBoard(notices: notices, place: place)
    }

    private static func notice(_ row: Row) throws -> NoticeBoard.Notice {
        guard let kind = Finding.Kind(rawValue: try row.value("kind")) else {
            throw UnreadableColumn(column: "kind")
        }
        let subject: String = try row.value("subject")
        return NoticeBoard.Notice(
            Finding(kind, subject: subject.isEmpty ? nil : subject, try row.value("sentence")),
            since: try row.instant("since"), awayUntil: try row.instantIfAny("away_until"))
    }

    private static func remembered(_ row: Row) throws -> Remembered {
        let before = try row.valueIfAny("before", String.self).map { _ in
            try row.json("before", [String].self)
        }
        return Remembered(
            try row.json("value"), before: before, changedAt: try row.instantIfAny("changed_at"))
    }

    /// Writes all rows anew; they are few.
    static func write(_ db: Database, _ board: NoticeBoard) throws {
        try db.execute(sql: "DELETE FROM notice; DELETE FROM remembered")
        for notice in board.notices {
            try db.execute(
                sql: "INSERT INTO notice (kind, subject, sentence, since, away_until) VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    notice.finding.kind.rawValue, notice.finding.subject ?? "",
                    String(notice.finding.sentence.prefix(1000)), notice.since.milliseconds,
                    notice.awayUntil?.milliseconds,
                ])
        }
        for (what, known) in [("address", board.place.address), ("upstreams", board.place.upstreams)]
        where !known.value.isEmpty {
            try db.execute(
                sql: "INSERT INTO remembered (what, value, before, changed_at) VALUES (?, ?, ?, ?)",
                arguments: [
                    what, try jsonText(known.value), try known.before.map(jsonText),
                    known.changedAt?.milliseconds,
                ])
        }
    }
}
