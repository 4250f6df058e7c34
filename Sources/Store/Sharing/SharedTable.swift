import Foundation
import GRDB

/// The rows of the agreed state, of its head, and of events of which the others were not told yet.
enum SharedTable {
    private static let head = "shared-head"

    static func load(_ db: Database, agreement: any Agreement, node: Int) throws -> Sharing {
        let rows = try Row.fetchAll(db, sql: "SELECT name, json FROM shared").map { row in
            (try row.value("name", String.self), try row.value("json", String.self))
        }
        return Sharing(
            agreement: agreement, node: node, head: try known(db) ?? .none,
            texts: Dictionary(rows) { first, _ in first },
            isPending: try Row.fetchOne(db, sql: "SELECT 1 FROM unsent") != nil)
    }

    /// The last change that the rows know; nil: none.
    static func known(_ db: Database) throws -> Head? {
        let text = try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = ?", arguments: [head])
        return text.flatMap { try? JSONDecoder().decode(Head.self, from: Data($0.utf8)) }
    }

    /// Writes the texts that differ.
    ///
    /// - Parameter old: those in the rows.
    static func write(_ db: Database, from old: [String: String], to new: [String: String]) throws {
        for (name, json) in new where old[name] != json {
            try db.cachedStatement(
                sql: """
                    INSERT INTO shared (name, json) VALUES (?, ?)
                    ON CONFLICT DO UPDATE SET json = excluded.json
                    """
            ).execute(arguments: [name, json])
        }
        for name in old.keys where new[name] == nil {
            try db.execute(sql: "DELETE FROM shared WHERE name = ?", arguments: [name])
        }
    }

    /// Says as what the texts were heard.
    static func write(_ db: Database, _ known: Head) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO meta VALUES (?, ?)", arguments: [head, try jsonText(known)])
    }

    /// Writes all of it, whatever is in the rows.
    ///
    /// - Parameter story: what happened that is in no row.
    static func rewrite(_ db: Database, _ sharing: Sharing, untold story: Story) throws {
        try db.execute(sql: "DELETE FROM shared")
        try write(db, from: [:], to: sharing.texts)
        try write(db, sharing.head)
        if sharing.isPending { try keep(db, story) } else { try forgetKept(db) }
    }

    /// Keeps a story until the others are told.
    static func keep(_ db: Database, _ story: Story) throws {
        try db.execute(sql: "INSERT INTO unsent (story) VALUES (?)", arguments: [try story.json])
    }

    static func kept(_ db: Database) throws -> Story {
        var all = Story()
        for json in try String.fetchAll(db, sql: "SELECT story FROM unsent ORDER BY number") {
            if let story = try? Story(json: json) { all.add(story) }
        }
        return all
    }

    static func forgetKept(_ db: Database) throws { try db.execute(sql: "DELETE FROM unsent") }

    /// Clears all of it: the household is on this machine only.
    static func clear(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM shared; DELETE FROM unsent")
        try db.execute(sql: "DELETE FROM meta WHERE key = ?", arguments: [head])
    }
}
