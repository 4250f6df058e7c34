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

    /// Letters of webhooks that are gone go too.
    mutating func take(_ outgoing: Outgoing) {
        let latest = Dictionary(list.map { ($0.id, $0.latest) }, uniquingKeysWith: { $1 })
        list = outgoing.webhooks.compactMap { id, shared in
            try? shared.webhook(id, latest: latest[id] ?? nil)
        }.sorted { ($0.since, $0.id.uuidString) < ($1.since, $1.id.uuidString) }
        queue.forget(where: { outgoing.webhooks[$0] == nil })
    }

    mutating func note(_ attempt: Webhook.Attempt, of id: Webhook.ID) {
        guard let place = list.firstIndex(where: { $0.id == id }) else { return }
        list[place].latest = attempt
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
        try add(webhook, sealed: Self.sealed(secret, keyForSecrets(), for: webhook.sealedFor))
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
        guard let known = webhooks.first(where: { $0.id == id }) else { return nil }
        return try writeAccess { _, access in
            access.outgoing.webhooks.removeValue(forKey: id).map {
                RemovedWebhook(webhook: known, sealed: $0.sealed)
            }
        }
    }

    package func restore(_ removed: RemovedWebhook) throws {
        try add(removed.webhook, sealed: removed.sealed)
        guard let latest = removed.webhook.latest else { return }
        try inLine { db in
            try commit(db) {
                try WebhookRecord.note(db, latest, of: removed.id)
            } adopting: {
                webhookState.withLock { $0.note(latest, of: removed.id) }
            }
        }
    }

    /// The signing secret; nil: the webhook is gone, or the key is, as after a restore on another machine.
    package func webhookSecret(of id: Webhook.ID) -> String? {
        let shared = access.withLock { $0.outgoing.webhooks[id] }
        guard let shared, let webhook = try? shared.webhook(id), let key = try? outboundKey(orNew: false)
        else { return nil }
        return Self.opened(shared.sealed, key, for: webhook.sealedFor)
    }

    private func add(_ webhook: Webhook, sealed: Data) throws {
        try writeAccess { _, access in
            guard access.outgoing.webhooks.count < Webhook.maximumCount else {
                throw Refusal.tooManyWebhooks
            }
            if let person = webhook.person, household[person: person] == nil { throw Refusal.unknownPerson }
            access.outgoing.webhooks[webhook.id] = SharedWebhook(webhook, sealed: sealed)
        }
    }
}

extension Webhook {
    /// Binds the sealed secret to this row: another row's secret does not open here.
    fileprivate var sealedFor: Data { Data("\(id.uuidString) \(address.url)".utf8) }
}
