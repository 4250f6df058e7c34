package import Foundation
import GRDB
package import Policy

extension [LogEntry] {
    /// Says of the lines from `start` on who did it, and of every rule that was changed that it was: a line that a page
    /// wrote is about the first rule that no other line is about.
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
    /// Who changed each of a person's rules last, or of the household's own; none where that is more than 90 days ago.
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

    /// A person's lines of some kinds, newest first; `before` is the last id of the page before. A nil person has the
    /// household's own.
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
