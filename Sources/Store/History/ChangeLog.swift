package import Foundation
import GRDB
package import Policy

extension [LogEntry] {
    /// Adds to the lines from `start` on who did it, and to each changed rule's line its subject. The line is the first
    /// of that person's without a subject; if there is none, a new one.
    package mutating func attribute(
        from start: Int, to hand: Hand?, changes: [RuleChange], at now: Date
    ) {
        guard start <= count else { return }
        for change in changes {
            let line = self[start...].firstIndex {
                $0.kind == .ruleChanged && $0.subject == nil && $0.person == change.person
            }
            if let line {
                self[line].subject = change.subject
            } else {
                var entry = LogEntry(.ruleChanged, person: change.person, at: now)
                entry.subject = change.subject
                append(entry)
            }
        }
        for index in self[start...].indices where self[index].hand == nil { self[index].hand = hand }
    }
}

extension HouseholdStore {
    /// The last change of each of a person's rules, or of the household's own; none if it is more than 90 days old.
    package func latestChanges(of person: PersonID?) throws -> [RuleSubject: LogEntry] {
        let entries = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM event WHERE id IN (
                        SELECT max(id) FROM event WHERE person IS ? AND subject IS NOT NULL GROUP BY subject)
                    """,
                arguments: [person?.rawValue]
            ).compactMap(EventLog.entry)
        }
        return Dictionary(
            entries.compactMap { entry in entry.subject.map { ($0, entry) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// A person's lines of some kinds, newest first; `before` is the last id of the previous page. A nil person means
    /// the household's own.
    package func log(
        of person: PersonID?, kinds: Set<LogEntry.Kind>, before: Int64? = nil, limit: Int
    ) throws -> [LogEntry] {
        let names = kinds.map(\.rawValue).sorted()
        let places = names.map { _ in "?" }.joined(separator: ", ")
        return try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM event WHERE person IS ? AND id < ? AND kind IN (\(places))
                    ORDER BY id DESC LIMIT ?
                    """,
                arguments: [person?.rawValue, before ?? .max] + StatementArguments(names) + [limit]
            ).compactMap(EventLog.entry)
        }
    }
}
