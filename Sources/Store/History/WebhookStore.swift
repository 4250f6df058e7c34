import Crypto
package import Foundation
import GRDB
import Logging
package import Policy
import Synchronization

/// A change of the household, for code that tells others of it.
package struct HouseholdChange: Sendable {
    package let old: Household
    package let new: Household
    /// Sessions that left their person; the instant is nil if no log entry has it.
    package let ended: [PastSession]
}

/// Webhooks and their letters, kept in memory beside the rows, so that pages and changes do not wait for the disk.
struct Webhooks {
    /// The events of a change to tell, and their instant; without a teller, this process tells nothing.
    typealias Teller = @Sendable (HouseholdChange) -> (events: [WebhookEvent], at: Date)

    var list: [Webhook] = []
    var queue = WebhookQueue()
    var teller: Teller?
    /// This server's address, for links that answer a question; nil: notices have none.
    var server: (@Sendable () -> String)?
    /// Settled letters whose end the disk refused to store.
    var unwritten: Set<WebhookLetter.ID> = []
    var listeners: [UUID: AsyncStream<Void>.Continuation] = [:]

    /// Reads the rows again, from another database if it was replaced. Otherwise letters that only memory has stay.
    mutating func load(_ db: Database, isReplaced: Bool = false, log: Logger) throws {
        list = try WebhookRecord.all(db, log: log)
        if isReplaced { queue = WebhookQueue() }
        let known = Set(queue.letters.map(\.id)).union(unwritten)
        _ = queue.add(try WebhookRecord.letters(db).filter { !known.contains($0.id) })
    }

    func wake() { for listener in listeners.values { listener.yield() } }
}

extension HouseholdStore {
    /// Oldest first, without those of removed people.
    package var webhooks: [Webhook] {
        let people = Set(household.people.map(\.id))
        return webhookState.withLock { $0.list }.filter { $0.person.map(people.contains) ?? true }
    }

    /// From now on, the webhooks that want them get the events that `teller` makes of a change, in the change's own
    /// transaction: a kill loses nothing, and tells nothing twice. It must be quick and have no effects.
    package func tellWebhooks(
        _ teller: @escaping @Sendable (HouseholdChange) -> (events: [WebhookEvent], at: Date)
    ) {
        webhookState.withLock { $0.teller = teller }
    }

    /// From now on, notices about a question have links that answer it; `server` gives this server's address.
    package func linkAnswers(_ server: @escaping @Sendable () -> String) {
        webhookState.withLock { $0.server = server }
    }

    /// Adds a webhook and returns its secret, which nobody can read again.
    package func addWebhook(_ webhook: Webhook) throws -> String {
        let secret = "whsec_" + randomBytes(32).base64EncodedString()
        guard let key = try outboundKey(orNew: true),
            let sealed = try AES.GCM.seal(Data(secret.utf8), using: key, authenticating: webhook.sealedFor)
                .combined
        else { throw StoreError.refused(reason: "no secret could be made") }
        try insert(webhook, sealed: sealed)
        return secret
    }

    /// A removed webhook with its sealed secret, for the undo.
    package struct RemovedWebhook: Sendable, Identifiable {
        package let webhook: Webhook
        fileprivate let sealed: Data
        package var id: Webhook.ID { webhook.id }
    }

    /// Removes a webhook with its waiting letters. Nil: it was not there.
    package func removeWebhook(_ id: Webhook.ID) throws -> RemovedWebhook? {
        try inLine { db in
            let known = webhookState.withLock { $0.list.first { $0.id == id } }
            guard let known,
                let sealed = try Data.fetchOne(
                    db, sql: "SELECT sealed FROM webhook WHERE id = ?", arguments: [id.uuidString])
            else { return nil }
            try commit(db) {
                try db.execute(sql: "DELETE FROM webhook WHERE id = ?", arguments: [id.uuidString])
                // The links in its messages go with it: it may be removed because the wrong people read them.
                try AnswerLinkRecord.removeAll(db)
            } adopting: {
                webhookState.withLock { state in
                    state.list.removeAll { $0.id == id }
                    state.queue.forget(id)
                }
            }
            return RemovedWebhook(webhook: known, sealed: sealed)
        }
    }

    package func restore(_ removed: RemovedWebhook) throws {
        try insert(removed.webhook, sealed: removed.sealed)
    }

    /// The signing secret; nil: the webhook is gone, or the key is, as after a restore on another machine.
    package func webhookSecret(of id: Webhook.ID) -> String? {
        let known = webhookState.withLock { $0.list.first { $0.id == id } }
        let sealed = try? read { db in
            try Data.fetchOne(
                db, sql: "SELECT sealed FROM webhook WHERE id = ?", arguments: [id.uuidString])
        }
        guard let known, let sealed, let key = try? outboundKey(orNew: false),
            let box = try? AES.GCM.SealedBox(combined: sealed),
            let opened = try? AES.GCM.open(box, using: key, authenticating: known.sealedFor)
        else { return nil }
        return String(data: opened, encoding: .utf8)
    }

    private func insert(_ webhook: Webhook, sealed: Data) throws {
        let stored = try Webhook(
            id: webhook.id, person: webhook.person, address: webhook.address, events: webhook.events,
            form: webhook.form, since: webhook.since.asStored, latest: webhook.latest)
        try inLine { db in
            let people = Set(household.people.map(\.id))
            let count = webhookState.withLock { state in
                // The rows of removed people's webhooks went with them.
                state.list.removeAll { $0.person.map { !people.contains($0) } ?? false }
                return state.list.count
            }
            guard count < Webhook.maximumCount else { throw Refusal.tooManyWebhooks }
            try commit(db) {
                try WebhookRecord.insert(db, stored, sealed: sealed)
            } adopting: {
                webhookState.withLock { state in
                    state.list.append(stored)
                    state.list.sort { ($0.since, $0.id.uuidString) < ($1.since, $1.id.uuidString) }
                }
            }
        }
    }
}

extension Webhook {
    /// Binds the sealed secret to this row: another row's secret does not open here.
    fileprivate var sealedFor: Data { Data("\(id.uuidString) \(address.url)".utf8) }
}
