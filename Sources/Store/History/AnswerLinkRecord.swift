package import Foundation
import GRDB
import Policy

/// The rows of links in notices that answer a question.
enum AnswerLinkRecord {
    /// Rows stay longer than their links work, so that a used link can say what was answered.
    private static let kept = 3 * Question.linkLifetime
    private static let most = 1_000

    static func removeAll(_ db: Database) throws { try db.execute(sql: "DELETE FROM answer_link") }

    static func write(_ db: Database, _ link: WebhookLetter.Link, at now: Date) throws {
        try db.execute(
            sql: "DELETE FROM answer_link WHERE abs(created_at - ?) > ?",
            arguments: [now.milliseconds, Int64(kept * 1000)])
        try db.execute(
            sql: """
                DELETE FROM answer_link WHERE token_hash IN
                (SELECT token_hash FROM answer_link ORDER BY created_at DESC LIMIT -1 OFFSET ?)
                """, arguments: [most - 1])
        try db.execute(
            sql: "INSERT OR IGNORE INTO answer_link VALUES (?, ?, ?)",
            arguments: [link.tokenHash, link.question.uuidString, now.milliseconds])
    }
}

extension HouseholdStore {
    /// The question that the link with this token is about; nil: there is no such link, or no longer. Takes a time that
    /// does not tell how much of the token is right.
    package func question(ofLink token: String) -> UUID? {
        let hash = sha256(token)
        let rows =
            (try? read { try Row.fetchAll($0, sql: "SELECT token_hash, question FROM answer_link") }) ?? []
        return rows.reduce(nil) { found, row in
            guard let stored = try? row.value("token_hash", Data.self), isEqual(stored, hash) else {
                return found
            }
            return try? row.uuid("question")
        }
    }
}
