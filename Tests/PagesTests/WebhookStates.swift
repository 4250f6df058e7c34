import Dashboard
import Foundation
import Pages
import Policy

extension PageState {
    /// The webhooks' pages in every state.
    static let webhooks = [
        PageState(name: "webhooks-empty", page: page([]), context: context(path: "/webhooks")),
        PageState(
            name: "webhooks", page: page(three, removed: hook("http://10.0.0.9/gone")),
            context: context(
                path: "/webhooks", notices: [.init(.done, "A test is on its way.")], people: 2)),
        PageState(
            name: "webhooks-new", page: page([three[0]], newSecret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3"),
            context: context(path: "/webhooks")),
        PageState(
            name: "webhooks-refused",
            page: page(
                [], typed: .init(url: Sample.hostile, whose: "2", events: ["limit.reached", Sample.hostile]),
                errors: [
                    "url": Refusal.webhookAddressUnreadable.message, "whose": Refusal.unknownPerson.message,
                    "event": Refusal.webhookWithoutEvents.message,
                ]), context: context(path: "/webhooks", people: 2)),
    ]

    /// "Notices on my phone" in every state.
    static let phoneNotices = [
        PageState(name: "phone-notices-empty", page: notices([]), context: context(path: "/notices")),
        PageState(
            name: "phone-notices",
            page: notices([phone, three[1]], made: phone.webhook.id, removed: phone.webhook),
            context: context(path: "/notices", people: 2)),
        PageState(
            name: "phone-notices-refused",
            page: PhoneNoticesPage(
                [], typed: (Sample.hostile, ["leaving", Sample.hostile]),
                errors: [
                    "server": Refusal.webhookAddressUnreadable.message, "about": "Choose at least one.",
                ], now: Sample.now, zone: Sample.zone), context: context(path: "/notices")),
    ]

    private static let phone = WebhooksPage.Shown(
        try! Webhook(
            id: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!, person: nil,
            address: WebhookAddress(typed: "https://ntfy.sh/sleep-k3v9qmzt4hw2rx8cbnd5"),
            events: [.extraTimeAsked, .wishAsked, .noticeRaised, .noticeCleared, .limitReached], form: .ntfy,
            since: Sample.now, latest: .init(at: Sample.now - 60, outcome: .answered(200))), waiting: 1)

    private static func notices(
        _ shown: [WebhooksPage.Shown], made: UUID? = nil, removed: Webhook? = nil
    ) -> PhoneNoticesPage {
        PhoneNoticesPage(shown, made: made, removed: removed, now: Sample.now, zone: Sample.zone)
    }

    private static let three = [
        WebhooksPage.Shown(
            hook(
                "http://192.168.1.20:8123/api/webhook/bedtime-7f3c91d2a8",
                latest: .init(at: Sample.now - 60, outcome: .answered(204)))),
        WebhooksPage.Shown(
            hook(
                "https://example.org/'><script>alert(1)</script>", person: Sample.other,
                latest: .init(at: Sample.now - 86_400, outcome: .failed(.unreachable))), waiting: 2),
        WebhooksPage.Shown(hook("http://ha.lan/x"), waiting: 1),
    ]

    private static func hook(
        _ url: String, person: PersonID? = nil, latest: Webhook.Attempt? = nil
    ) -> Webhook {
        let id = UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!
        return try! Webhook(
            id: id, person: person, address: WebhookAddress(typed: url),
            events: [.sleepStarted, .focusCompleted, .extraTimeAsked], since: Sample.now, latest: latest)
    }

    private static func page(
        _ shown: [WebhooksPage.Shown], newSecret: String? = nil, removed: Webhook? = nil,
        typed: WebhooksPage.Typed = .suggestion, errors: [String: String] = [:]
    ) -> WebhooksPage {
        WebhooksPage(
            shown, people: [Sample.person(), Person(id: Sample.other, name: Sample.hostile)],
            newSecret: newSecret, removed: removed, typed: typed, errors: errors, now: Sample.now,
            zone: Sample.zone)
    }
}
