package import Foundation
import GRDB
package import Policy

extension HouseholdStore {
    /// How many lines of each kind a person's log has since an instant.
    package func logCounts(of person: PersonID, since: Date) throws -> [LogEntry.Kind: Int] {
        let rows = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT kind, count(*) AS count FROM event WHERE person = ? AND instant >= ? GROUP BY kind
                    """,
                arguments: [person.rawValue, since.milliseconds]
            ).map { (kind: try $0.value("kind", String.self), count: try $0.value("count", Int.self)) }
        }
        return Dictionary(
            rows.compactMap { row in LogEntry.Kind(rawValue: row.kind).map { ($0, row.count) } },
            uniquingKeysWith: +)
    }
}
