package import Foundation
import Pages
package import Policy
import QR

/// "Notices on my phone": an ntfy topic for each phone, which is a webhook of the form `ntfy`. POST `/notices`
/// `server,about` (`about` repeated: `requests`, `attention`, `leaving`, `nights`); POST `/webhooks/{id}/test`,
/// `/webhooks/{id}/delete` and `/webhooks/{id}/restore` with `from` of `notices`.
package struct PhoneNoticesPage: Page {
    package static let template = "phone-notices"

    struct Row {
        let id: String
        /// `ntfy.sh`
        let server: String
        /// `Somebody asks for time, an app or a later night · Something needs attention`
        let tells: String
        let latest: String
        let isFailing: Bool
        let waiting: String?
        /// The topic in a browser.
        let url: String
        let appLink: String
        /// A QR code of the topic, as SVG; nil if the address is too long for one.
        let svg: String?
        /// Whether its code is in view: it was just made.
        let isNew: Bool
    }

    struct About {
        let value: String
        let label: String
        let note: String?
        let isSelected: Bool
    }

    struct Removed {
        let id: String
        let server: String
    }

    package let title = "Notices on my phone"
    let rows: [Row]
    let isEmpty: Bool
    let removed: Removed?
    let abouts: [About]
    let server: String
    /// Whether the field for a server at home is open.
    let isAtHome: Bool
    /// By field name: `server`, `about`.
    package let errors: [String: String]

    /// - Parameters:
    ///   - made: the webhook that was just made.
    ///   - typed: what was sent and refused.
    package init(
        _ shown: [WebhooksPage.Shown], made: Webhook.ID? = nil, removed: Webhook? = nil,
        typed: (server: String, about: Set<String>)? = nil, errors: [String: String] = [:], now: Date,
        zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        rows = shown.filter { $0.webhook.form == .ntfy }.map {
            Row($0, isNew: $0.webhook.id == made, now, clock)
        }
        isEmpty = rows.isEmpty
        self.removed = removed.map { Removed(id: $0.id.uuidString, server: $0.address.origin) }
        let about = typed?.about ?? Set(PhoneNotice.suggestion.map(\.rawValue))
        abouts = PhoneNotice.allCases.map {
            About(
                value: $0.rawValue, label: $0.words, note: $0.note, isSelected: about.contains($0.rawValue))
        }
        server = typed?.server ?? ""
        isAtHome = !server.isEmpty
        self.errors = errors
    }
}

extension PhoneNoticesPage.Row {
    fileprivate init(_ shown: WebhooksPage.Shown, isNew: Bool, _ now: Date, _ clock: ClockFace) {
        let webhook = shown.webhook
        let topic = NtfyTopic(webhook.address)
        id = webhook.id.uuidString
        server = webhook.address.origin.split(separator: "/").last.map(String.init) ?? webhook.address.origin
        let notices = PhoneNotice.allCases.filter { $0.events.isSubset(of: webhook.events) }
        let others = webhook.events.subtracting(notices.flatMap(\.events))
        tells = (notices.map(\.words) + WebhookEvent.Kind.allCases.filter(others.contains).map(\.words))
            .joined(separator: " · ")
        latest = webhook.latest.map { $0.words(at: now, clock) } ?? "Nothing was sent yet."
        isFailing = webhook.latest.map { !$0.outcome.isTaken } ?? false
        waiting = WebhooksPage.waiting(shown.waiting)
        url = topic.url
        appLink = topic.appLink
        svg = (try? QRCode(topic.url))?.svg(label: "QR code for \(topic.url)")
        self.isNew = isNew
    }
}
