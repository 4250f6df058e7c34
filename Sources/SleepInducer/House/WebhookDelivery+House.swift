import DNS
import LocalNetwork
import Logging
import Outbound
import Policy
import Store

extension WebhookDelivery {
    /// Sends events to webhooks. This server's own upstreams resolve the names, and nothing is sent back to this
    /// machine. From now on the store keeps the events to send.
    init(_ ground: Ground, resolver: DNS.Resolver) {
        let (store, clock, catalog) = (ground.store, ground.clock, ground.catalog)
        store.linkAnswers { Announcement.server(at: ground.listening.shown, port: ground.ports.http) }
        store.tellWebhooks { change in
            let now = clock.now()
            let events = change.new.webhookEvents(
                since: change.old, ended: change.ended.map { SessionEvent($0, noticedAt: now) },
                catalog: catalog.adding(change.new.ownApps), at: now)
            return (events, now)
        }
        self.init(
            queue: WebhookDelivery.Queue(
                take: { store.takeLetters(at: $0) }, next: { store.nextLetter(at: $0) },
                secret: { store.webhookSecret(of: $0) }, settle: { store.settle($0, $1) },
                news: { store.webhookNews() }),
            clock: clock, logger: ground.logger,
            client: SafeClient(
                lookUp: { await resolver.addresses(of: $0) },
                own: { ground.machine.addresses().map(\.address) }))
    }
}
