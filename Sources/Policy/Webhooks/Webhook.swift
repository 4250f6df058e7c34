package import Foundation

/// Where a household wants to hear of what happens (T-18): an address of its own, off until somebody sets one.
///
/// The secret that signs what is sent is the store's; it is never part of this.
package struct Webhook: Hashable, Sendable, Identifiable {
    package static let maximumCount = 20

    package let id: UUID
    /// Whose events; nil: the whole household's.
    package let person: PersonID?
    package let address: WebhookAddress
    package let events: Set<WebhookEvent.Kind>
    package let form: Form
    /// When it was set.
    package let since: Date
    /// What became of the latest try; nil: there was none.
    package var latest: Attempt?

    /// Throws `webhookWithoutEvents`.
    package init(
        id: UUID, person: PersonID?, address: WebhookAddress, events: Set<WebhookEvent.Kind>,
        form: Form = .json, since: Date, latest: Attempt? = nil
    ) throws(Refusal) {
        guard !events.isEmpty else { throw .webhookWithoutEvents }
        self.id = id
        self.person = person
        self.address = address
        self.events = events
        self.form = form
        self.since = since
        self.latest = latest
    }

    /// What it is sent: JSON for programs, or a title and a sentence for an ntfy topic.
    package enum Form: String, Codable, Sendable, CaseIterable { case json, ntfy }

    /// Whether it is to hear of an event, while those people are here. What an adult alone knows of themselves is told to
    /// their own webhooks only (`ownOfAdults`; design.md, Trust).
    package func wants(_ event: WebhookEvent, of people: [PersonID: Person]) -> Bool {
        guard events.contains(event.kind), person == nil || person == event.person else { return false }
        if let person { return people[person] != nil }
        return !WebhookEvent.ownOfAdults.contains(event.kind)
            || event.person.flatMap { people[$0]?.role } != .adult
    }

    /// One try to send something.
    package struct Attempt: Hashable, Sendable {
        package var at: Date
        package var outcome: Outcome

        package init(at: Date, outcome: Outcome) {
            self.at = at
            self.outcome = outcome
        }
    }

    package enum Outcome: Hashable, Sendable {
        /// With this HTTP status.
        case answered(Int)
        case failed(Failure)

        /// Taken by the other side: any status from 200 to 299. A redirect is not followed, and no success.
        package var isTaken: Bool {
            if case .answered(let status) = self { (200...299).contains(status) } else { false }
        }
    }

    /// Why there was no answer.
    package enum Failure: String, Codable, Sendable, CaseIterable {
        case unknownHost, notAllowed, needsTLS, unreachable, timedOut, insecure, unreadable
        /// What signed it is gone, as after a restore on another machine.
        case noSecret
    }
}

extension Webhook.Outcome {
    /// The end of a sentence: `answered 204`, `could not be reached`.
    package var words: String {
        switch self {
        case .answered(let status) where (300...399).contains(status):
            "answered \(status), which sends on to another address and is not followed"
        case .answered(let status): "answered \(status)"
        case .failed(.unknownHost): "there is no server of this name"
        case .failed(.notAllowed): "the address leads back to this machine, or to where nothing may be sent"
        case .failed(.needsTLS): "the address is on the internet, and needs https"
        case .failed(.unreachable): "could not be reached"
        case .failed(.timedOut): "did not answer in time"
        case .failed(.insecure): "its certificate cannot be trusted"
        case .failed(.unreadable): "gave no answer that can be read"
        case .failed(.noSecret): "its secret is gone; remove it and add it again"
        }
    }
}
