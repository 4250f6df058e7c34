package import Foundation
import Pages
package import Policy

/// The webhooks, which tell other programs what happens here:
///
/// POST `/webhooks` `url,whose,form,event` (`form` `json` or `ntfy`; `whose` a person's id, empty: the whole home;
/// `event` repeated) ·
/// `/webhooks/{id}/test` · `/webhooks/{id}/delete` · `/webhooks/{id}/restore`.
package struct WebhooksPage: Page {
    package static let template = "webhooks"

    /// What pages may show of a webhook; never its secret.
    package struct Shown: Sendable {
        package let webhook: Webhook
        /// How many messages wait to be sent.
        package let waiting: Int

        package init(_ webhook: Webhook, waiting: Int = 0) {
            self.webhook = webhook
            self.waiting = waiting
        }
    }

    /// The form's values for a new webhook.
    package struct Typed: Sendable {
        package var url: String
        package var whose: String
        /// A raw value of `Webhook.Form`.
        package var form: String
        package var events: Set<String>

        package init(url: String, whose: String, form: String = "json", events: Set<String>) {
            self.url = url
            self.whose = whose
            self.form = form
            self.events = events
        }

        /// The events that most homes want.
        package static let suggestion = Typed(
            url: "", whose: "",
            events: [WebhookEvent.Kind.sleepStarted.rawValue, WebhookEvent.Kind.sleepEnded.rawValue])
    }

    struct Row {
        let id: String
        let url: String
        /// `The whole home: Sleep starts, Sleep ends`.
        let tells: String
        /// `Last sent 21:03: answered 204`.
        let latest: String
        let isFailing: Bool
        /// `2 messages wait for their next try.`
        let waiting: String?
    }

    struct Removed {
        let id: String
        let url: String
    }

    package let title = "Webhooks"
    let rows: [Row]
    let isEmpty: Bool
    /// Shown once, right after it is made.
    package let newSecret: String?
    let removed: Removed?
    let url: String
    let whose: [Choice]
    let hasSeveralPeople: Bool
    let forms: [Choice]
    let events: [Choice]
    /// By field name: `url`, `whose`, `form`, `event`.
    package let errors: [String: String]

    package init(
        _ shown: [Shown], people: [Person], newSecret: String? = nil, removed: Webhook? = nil,
        typed: Typed = .suggestion, errors: [String: String] = [:], now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        rows = shown.map { Row($0, people, now, clock) }
        isEmpty = shown.isEmpty
        self.newSecret = newSecret
        self.removed = removed.map { Removed(id: $0.id.uuidString, url: $0.address.url) }
        url = typed.url
        whose =
            [Choice("", "The whole home", isSelected: typed.whose.isEmpty)]
            + people.map {
                Choice(
                    String($0.id.rawValue), $0.name, isSelected: typed.whose == String($0.id.rawValue))
            }
        hasSeveralPeople = people.count > 1
        forms = Webhook.Form.allCases.map {
            Choice($0.rawValue, $0.words, isSelected: $0.rawValue == typed.form)
        }
        events = WebhookEvent.Kind.allCases.map {
            Choice($0.rawValue, $0.words, isSelected: typed.events.contains($0.rawValue))
        }
        self.errors = errors
    }
}

extension WebhooksPage {
    /// `2 messages are waiting.`; nil for none.
    static func waiting(_ count: Int) -> String? {
        switch count {
        case 0: nil
        case 1: "1 message is waiting."
        default: "\(count) messages are waiting."
        }
    }
}

extension WebhooksPage.Row {
    fileprivate init(_ shown: WebhooksPage.Shown, _ people: [Person], _ now: Date, _ clock: ClockFace) {
        let webhook = shown.webhook
        id = webhook.id.uuidString
        url = webhook.address.url
        let owner = people.first { $0.id == webhook.person }?.name ?? "The whole home"
        let events = WebhookEvent.Kind.allCases.filter(webhook.events.contains).map(\.words)
        let note = webhook.form == .ntfy ? " (ntfy)" : ""
        tells = "\(owner)\(note): \(events.joined(separator: ", "))"
        latest = webhook.latest.map { $0.words(at: now, clock) } ?? "Nothing was sent from here yet."
        isFailing = webhook.latest.map { !$0.outcome.isTaken } ?? false
        waiting = WebhooksPage.waiting(shown.waiting)
    }
}

extension Webhook.Attempt {
    /// `Last sent today at 21:03: answered 204`, `Last attempt yesterday at 21:03: could not be reached`.
    func words(at now: Date, _ clock: ClockFace) -> String {
        "Last \(outcome.isTaken ? "sent" : "attempt") \(clock.past(at, from: now)): \(outcome.words)"
    }
}

extension Webhook.Form {
    fileprivate var words: String {
        switch self {
        case .json: "Signed JSON, for programs"
        case .ntfy: "A plain notice, for an ntfy topic"
        }
    }
}
