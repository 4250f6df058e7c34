import Foundation
import GRDB
import Logging
import Policy

/// The rows of webhooks and of their letters.
enum WebhookRecord {
    /// Oldest first. Unreadable rows are logged and left out.
    static func all(_ db: Database, log: Logger) throws -> [Webhook] {
        try Row.fetchAll(db, sql: "SELECT * FROM webhook ORDER BY since, id").compactMap { row in
            do {
                return try SharedWebhook(row).webhook(row.uuid("id"), latest: attempt(row))
            } catch {
                log.warning("A stored webhook cannot be read and is skipped: \(error)")
                return nil
            }
        }
    }

    private static func attempt(_ row: Row) throws -> Webhook.Attempt? {
        guard let at = try row.instantIfAny("tried_at") else { return nil }
        if let status = try row.valueIfAny("status", Int.self) {
            return Webhook.Attempt(at: at, outcome: .answered(status))
        }
        let failure = try row.valueIfAny("fault", String.self).flatMap(Webhook.Failure.init)
        return Webhook.Attempt(at: at, outcome: .failed(failure ?? .unreadable))
    }

    /// Adds a webhook. Nothing happens if its person is gone.
    static func write(_ db: Database, _ id: UUID, _ webhook: SharedWebhook) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO webhook (id, person, url, events, form, since, sealed)
                SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7
                WHERE ?2 IS NULL OR EXISTS (SELECT 1 FROM person WHERE id = ?2)
                """,
            arguments: [
                id.uuidString, webhook.person, webhook.url, try jsonText(webhook.events), webhook.form,
                webhook.since.milliseconds, webhook.sealed,
            ])
    }

    static func note(_ db: Database, _ attempt: Webhook.Attempt, of webhook: Webhook.ID) throws {
        let (status, fault): (Int?, String?) =
            switch attempt.outcome {
            case .answered(let status): (min(max(status, 0), 999), nil)
            case .failed(let failure): (nil, failure.rawValue)
            }
        try db.execute(
            sql: "UPDATE webhook SET tried_at = ?, status = ?, fault = ? WHERE id = ?",
            arguments: [attempt.at.milliseconds, status, fault, webhook.uuidString])
    }

    static func letters(_ db: Database) throws -> [WebhookLetter] {
        try Row.fetchAll(db, sql: "SELECT * FROM webhook_letter ORDER BY number").compactMap { row in
            guard let id = try? row.uuid("id") else { return nil }
            return try? WebhookLetter(
                id: id, webhook: row.uuid("webhook"), event: row.value("event"),
                body: row.value("body"), tries: row.value("tries"), due: row.instant("due"))
        }
    }

    /// Queues a letter, or stores when it is tried next. Nothing happens if its webhook is gone.
    static func write(_ db: Database, _ letter: WebhookLetter) throws {
        try db.execute(
            sql: """
                INSERT INTO webhook_letter (id, webhook, event, body, tries, due)
                SELECT ?, id, ?, ?, ?, ? FROM webhook WHERE id = ?
                ON CONFLICT (id) DO UPDATE SET tries = excluded.tries, due = excluded.due
                """,
            arguments: [
                letter.id.uuidString, letter.event, letter.body, letter.tries, letter.due.milliseconds,
                letter.webhook.uuidString,
            ])
        if let link = letter.link { try AnswerLinkRecord.write(db, link, at: letter.due) }
    }

    static func deleteLetter(_ db: Database, _ id: WebhookLetter.ID) throws {
        try db.execute(sql: "DELETE FROM webhook_letter WHERE id = ?", arguments: [id.uuidString])
    }
}

/// A webhook for exports: only the part of its address that holds no secret of the receiver.
struct WebhookExport: Encodable {
    var id: UUID
    var person: Int64?
    var origin: String
    var events: [String]
    var form: String
    var since: Date

    init(_ webhook: Webhook) {
        id = webhook.id
        person = webhook.person?.rawValue
        origin = webhook.address.origin
        events = webhook.events.map(\.rawValue).sorted()
        form = webhook.form.rawValue
        since = webhook.since
    }
}
