import Foundation
import HTTPTypes
import Hummingbird
import Policy
import Store

/// Webhooks, for programs.
struct WebhooksAPI: Sendable {
    let desk: Desk
    let webhooks: WebhooksRoutes

    func webhooks(_ request: Request, _ visit: Visit) throws -> Response {
        .json(.array(desk.store.webhooks.map { .object(members(of: $0)) }))
    }

    /// Takes `url`, `events`, and `person` unless it is the whole household's. Only this answer has the `secret`.
    func addWebhook(_ request: Request, _ visit: Visit) async throws -> Response {
        // Only the body says whose it is; a person in the address would be ignored.
        guard request.uri.queryParameters["person"] == nil else {
            throw Problem(.invalidInput, errors: ["person": "Send it in the body."])
        }
        var body = try await JSONBody(request)
        let typed = body.string("url", 1...WebhookAddress.maximum)
        let named = body.strings("events")
        let person = (body.contains("person") ? body.intOrNull("person") : nil) ?? nil
        let form = body.contains("form") ? body.choice("form", of: Webhook.Form.allCases) : .json
        let events = Set((named ?? []).compactMap(WebhookEvent.Kind.init))
        if events.isEmpty || events.count < Set(named ?? []).count {
            let all = WebhookEvent.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            body.refuse("events", "This must be a list of some of \(all).")
        }
        try body.finish()
        let owner = person.map { PersonID(rawValue: Int64($0)) }
        if let owner, desk.household(at: desk.clock.now())[person: owner] == nil {
            throw Problem(Refusal.unknownPerson)
        }
        guard let typed, let form else { throw Problem(.invalidInput) }
        let address: WebhookAddress
        do throws(Refusal) { address = try webhooks.webhookAddress(typed) } catch {
            throw Problem(error, at: "url")
        }
        let (webhook, secret) = try webhooks.add(address, owner, events, form)
        return .json(
            .object(members(of: webhook) + [("secret", .string(secret))]), status: .created)
    }

    func removeWebhook(_ request: Request, _ visit: Visit) throws -> Response {
        guard let id = visit.pathID, try webhooks.takeOut(id) != nil else {
            throw Problem(Refusal.unknownWebhook)
        }
        return Response(status: .noContent)
    }

    private func members(of webhook: Webhook) -> [(key: String, value: JSONValue)] {
        [
            ("id", .string(webhook.id.uuidString)),
            ("person", webhook.person.map { .int(Int($0.rawValue)) } ?? .null),
            ("url", .string(webhook.address.url)),
            ("events", .strings(webhook.events.map(\.rawValue).sorted())),
            ("form", .string(webhook.form.rawValue)), ("since", .instant(webhook.since)),
            ("waiting", .int(desk.store.waitingLetters(of: webhook.id))),
            (
                "latest",
                webhook.latest.map { latest in
                    .object([
                        ("at", .instant(latest.at)), ("taken", .bool(latest.outcome.isTaken)),
                        ("outcome", .string(latest.outcome.words)),
                    ])
                } ?? .null
            ),
        ]
    }
}
