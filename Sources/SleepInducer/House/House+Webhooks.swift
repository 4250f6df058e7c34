import DNS
import LocalNetwork
import Logging
import Outbound
import Policy
import Store

extension House {
    /// Whoever takes to webhooks what happened. Names are looked up by this server's own upstreams, and nothing is
    /// sent back to this machine. From now on the store keeps what is to be told.
    static func webhooks(
        _ store: HouseholdStore, _ catalog: Catalog, _ clock: WallClock, _ resolver: DNS.Resolver,
        _ machine: Machine, _ logger: Logger
    ) -> WebhookDelivery {
        store.tellWebhooks { change in
            let now = clock.now()
            let events = change.new.webhookEvents(
                since: change.old, ended: change.ended.map { SessionEvent($0, noticedAt: now) },
                catalog: catalog.adding(change.new.ownApps), at: now)
            return (events, now)
        }
        return WebhookDelivery(
            queue: WebhookDelivery.Queue(
                take: { store.takeLetters(at: $0) }, next: { store.nextLetter(at: $0) },
                secret: { store.webhookSecret(of: $0) }, settle: { store.settle($0, $1) },
                news: { store.webhookNews() }),
            clock: clock, logger: logger,
            client: SafeClient(
                lookUp: { await resolver.addresses(of: $0) }, own: { machine.addresses().map(\.address) }))
    }
}
