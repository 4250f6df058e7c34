import GRDB
import Policy

/// The row of what is relayed for a person; none while nothing is.
enum RelayedRecord {
    static func all(_ db: Database, log: ReadingLog) throws -> [PersonID: RelayedApps] {
        var all: [PersonID: RelayedApps] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM relayed") {
            do {
                let apps: [String] = try row.json("apps")
                all[PersonID(rawValue: try row.value("person"))] = RelayedApps(
                    includesRuled: try row.value("ruled"), chosen: Set(apps))
            } catch {
                log.warning("What is stored as relayed cannot be read and counts as nothing: \(error)")
            }
        }
        return all
    }

    static func write(_ db: Database, _ relayed: RelayedApps, of person: PersonID) throws {
        guard relayed.isOn else {
            return try db.execute(
                sql: "DELETE FROM relayed WHERE person = ?", arguments: [person.rawValue])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO relayed (person, ruled, apps) VALUES (?, ?, ?)",
            arguments: [person.rawValue, relayed.includesRuled, try jsonText(relayed.chosen.sorted())])
    }
}

/// What is relayed, in JSON.
struct RelayedDocument: Codable {
    var includesRuled: Bool
    var apps: [String]

    init(_ relayed: RelayedApps) {
        includesRuled = relayed.includesRuled
        apps = relayed.chosen.sorted()
    }

    var relayed: RelayedApps { RelayedApps(includesRuled: includesRuled, chosen: Set(apps)) }
}
