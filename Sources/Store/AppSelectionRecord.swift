import Foundation
import GRDB
import Policy

/// The rows of a person's selections, by kind (C-01). Of those allowed, one that is not there is an empty one (SI-027);
/// of those restricted it was never chosen (AR-018).
enum AppSelectionRecord {
    enum Kind: String { case allowed, restricted, productive }

    static func all(_ db: Database, _ kind: Kind, log: ReadingLog) throws -> [PersonID: AppSelection] {
        var selections: [PersonID: AppSelection] = [:]
        let rows = try Row.fetchAll(
            db, sql: "SELECT * FROM selection WHERE kind = ?", arguments: [kind.rawValue])
        for row in rows {
            do {
                selections[PersonID(rawValue: try row.value("person"))] = AppSelection(
                    apps: try row.json("apps"), categories: try row.json("categories"),
                    domains: try row.json("domains"))
            } catch {
                log.warning("A stored selection (\(kind)) cannot be read and counts as none: \(error)")
            }
        }
        return selections
    }

    static func write(_ db: Database, _ selection: AppSelection?, _ kind: Kind, of person: PersonID) throws {
        guard let selection else {
            return try db.execute(
                sql: "DELETE FROM selection WHERE person = ? AND kind = ?",
                arguments: [person.rawValue, kind.rawValue])
        }
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO selection (person, kind, apps, categories, domains)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: [
                person.rawValue, kind.rawValue, try jsonText(selection.apps.sorted()),
                try jsonText(selection.categories.sorted()), try jsonText(selection.domains.sorted()),
            ])
    }
}

/// A selection in JSON, in an order that does not change from run to run.
struct SortedSelection: Codable, Hashable {
    var apps: [String]
    var categories: [String]
    var domains: [String]
}

extension AppSelection {
    var sorted: SortedSelection {
        SortedSelection(apps: apps.sorted(), categories: categories.sorted(), domains: domains.sorted())
    }
}
