import Directory
import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/webhooks`: who is told what happens.
struct WebhooksRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts
    private let removedWebhooks = RecentlyRemoved<HouseholdStore.RemovedWebhook>()

    func webhooksPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try webhooks(asker, removed: removedLately(request, asker))
    }

    /// The webhook that this person just removed, by the address's `removed`; nil if it is back.
    func removedLately(_ request: Request, _ asker: Asker) -> Webhook? {
        let id = request.queryID("removed")
        let removed = id.flatMap { removedWebhooks.item($0, of: asker.person.id, at: desk.uptime()) }
        let isBack = removed.map { gone in desk.store.webhooks.contains { $0.id == gone.id } }
        return isBack == true ? nil : removed?.webhook
    }

    /// All webhooks, for the pages about them.
    var shown: [WebhooksPage.Shown] {
        desk.store.webhooks.map { .init($0, waiting: desk.store.waitingLetters(of: $0.id)) }
    }

    /// Adds a webhook and shows its secret once. A topic has no use for a secret: its readers check no signature.
    func addWebhook(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let typed = WebhooksPage.Typed(
            url: reading.optional("url") ?? "", whose: reading.optional("whose") ?? "",
            form: reading.optional("form") ?? Webhook.Form.json.rawValue,
            events: Set(reading.many("event")))
        var address: WebhookAddress?
        do throws(Refusal) { address = try webhookAddress(typed.url) } catch { reading.refuse("url", error) }
        let person = Int64(FormReading.wholeNumber(typed.whose) ?? 0)
        if !typed.whose.isEmpty, asker.household[person: PersonID(rawValue: person)] == nil {
            reading.refuse("whose", .unknownPerson)
        }
        let events = Set(typed.events.compactMap(WebhookEvent.Kind.init))
        if events.isEmpty || events.count < typed.events.count {
            reading.refuse("event", .webhookWithoutEvents)
        }
        let form = Webhook.Form(rawValue: typed.form)
        if form == nil { reading.refuse("form", .webhookFormUnknown) }
        do { try reading.finish() } catch { return try webhooks(asker, typed: typed, rejected: error) }
        guard let address, let form else { throw PageError(.badRequest) }
        let owner = typed.whose.isEmpty ? nil : PersonID(rawValue: person)
        let secret = try add(address, owner, events, form).secret
        guard form != .ntfy else { return desk.back(to: "/webhooks", for: asker, done: .added) }
        return try webhooks(asker, newSecret: secret)
    }

    func testWebhook(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id, place) = try await webhook(request, visit)
        try desk.store.putTestInLine(for: id, at: asker.now)
        return desk.back(to: place, for: asker, done: .sent)
    }

    /// Removes a webhook, which can be restored for a while.
    func removeWebhook(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id, place) = try await webhook(request, visit)
        guard let removed = try takeOut(id) else { throw Refusal.unknownWebhook }
        removedWebhooks.keep(removed, of: asker.person.id, at: desk.uptime())
        return desk.back(to: place, for: asker, query: "removed=\(id.uuidString)")
    }

    func restoreWebhook(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id, place) = try await webhook(request, visit)
        guard let removed = removedWebhooks.item(id, of: asker.person.id, at: desk.uptime()) else {
            throw Refusal.unknownWebhook
        }
        if let person = removed.webhook.person, asker.household[person: person] == nil {
            throw Refusal.unknownPerson
        }
        // If Undo is pressed twice, it is already back.
        if !desk.store.webhooks.contains(where: { $0.id == id }) { try desk.store.restore(removed) }
        return desk.back(to: place, for: asker)
    }

    /// Checks an address against this server's own names and this machine's current addresses.
    func webhookAddress(_ typed: String) throws(Refusal) -> WebhookAddress {
        let ownNames = desk.configuration.ownNames()
        let own = network.own().compactMap { address in
            Reach.bytes(String(address.prefix { $0 != "%" }))
        }
        return try WebhookAddress(typed: typed, own: Set(own), isOwnName: { ownNames.contains($0) })
    }

    func add(
        _ address: WebhookAddress, _ person: PersonID?, _ events: Set<WebhookEvent.Kind>,
        _ form: Webhook.Form
    ) throws -> (webhook: Webhook, secret: String) {
        let now = desk.clock.now()
        let webhook = try Webhook(
            id: UUID(), person: person, address: address, events: events, form: form, since: now)
        let secret = try desk.store.addWebhook(webhook)
        try desk.store.append(LogEntry(.ruleChanged, person: nil, at: now, detail: "Webhooks"))
        return (webhook, secret)
    }

    func takeOut(_ id: Webhook.ID) throws -> HouseholdStore.RemovedWebhook? {
        guard let removed = try desk.store.removeWebhook(id) else { return nil }
        try desk.store.append(LogEntry(.ruleChanged, person: nil, at: desk.clock.now(), detail: "Webhooks"))
        return removed
    }

    /// The asker, the webhook, and the page whose button was pressed (`from` of `notices`).
    private func webhook(_ request: Request, _ visit: Visit) async throws -> (
        Asker, Webhook.ID, place: String
    ) {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let place = reading.optional("from") == "notices" ? "/notices" : "/webhooks"
        try reading.finish()
        return (asker, try visit.itemID, place)
    }

    private func webhooks(
        _ asker: Asker, newSecret: String? = nil, removed: Webhook? = nil,
        typed: WebhooksPage.Typed = .suggestion, rejected: FormRejected? = nil
    ) throws -> Response {
        let shown = WebhooksPage(
            self.shown, people: asker.household.people, newSecret: newSecret, removed: removed, typed: typed,
            errors: rejected?.forPage ?? [:], now: asker.now, zone: asker.zone)
        return try desk.page(
            shown, for: asker, status: rejected == nil ? .ok : .unprocessableContent,
            notices: rejected?.notices ?? [])
    }
}
