import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/notices`: what is told to phones.
extension WebhooksRoutes {
    func phoneNoticesPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let made = request.uri.queryParameters["made"].flatMap { UUID(uuidString: String($0)) }
        return try phoneNotices(asker, made: made, removed: removedLately(request, asker))
    }

    /// Makes a topic that nobody can guess, and its webhook.
    func addPhoneNotices(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let server = (reading.optional("server") ?? "").trimmingCharacters(in: .whitespaces)
        let about = Set(reading.many("about"))
        let notices = Set(about.compactMap(PhoneNotice.init))
        if notices.isEmpty || notices.count < about.count { reading.refuse("about", "Choose at least one.") }
        var address: WebhookAddress?
        do throws(Refusal) {
            // A query or a fragment would take the topic's name.
            guard !server.contains(where: { "?#".contains($0) }) else { throw .webhookAddressUnreadable }
            address = try webhookAddress(
                NtfyTopic(server: server.isEmpty ? NtfyTopic.publicServer : server).url)
        } catch { reading.refuse("server", error) }
        do { try reading.finish() } catch {
            return try phoneNotices(asker, typed: (server, about), rejected: error)
        }
        guard let address else { throw PageError(.badRequest) }
        let events = notices.reduce(into: Set<WebhookEvent.Kind>()) { $0.formUnion($1.events) }
        let webhook = try add(address, nil, events, .ntfy).webhook
        return desk.back(
            to: "/notices", for: asker, query: "made=\(webhook.id.uuidString)",
            at: "topic-\(webhook.id.uuidString)")
    }

    private func phoneNotices(
        _ asker: Asker, made: UUID? = nil, removed: Webhook? = nil,
        typed: (server: String, about: Set<String>)? = nil, rejected: FormRejected? = nil
    ) throws -> Response {
        let shown = PhoneNoticesPage(
            self.shown, made: made, removed: removed, typed: typed, errors: rejected?.forPage ?? [:],
            now: asker.now, zone: asker.zone)
        return try desk.page(
            shown, for: asker, status: rejected == nil ? .ok : .unprocessableContent,
            notices: rejected?.notices ?? [])
    }
}
