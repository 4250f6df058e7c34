package import Foundation

/// Where a household receives its events: an address that it sets; off by default.
///
/// The signing secret belongs to the store and is never part of this.
package struct Webhook: Hashable, Sendable, Identifiable {
    package static let maximumCount = 20

    package let id: UUID
    /// The person whose events it gets; nil: the whole household's.
    package let person: PersonID?
    package let address: WebhookAddress
    package let events: Set<WebhookEvent.Kind>
    package let form: Form
    /// When it was set.
    package let since: Date
    /// The latest try; nil if there was none.
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

    /// What it receives: JSON for programs, or a title and a sentence for an ntfy topic.
    package enum Form: String, Codable, Sendable, CaseIterable { case json, ntfy }

    /// Whether it gets an event, given these people. Events that only an adult knows about themselves go only to their
    /// own webhooks (`ownOfAdults`; design.md, Trust).
    package func wants(_ event: WebhookEvent, of people: [PersonID: Person]) -> Bool {
        guard events.contains(event.kind), person == nil || person == event.person else { return false }
        if let person { return people[person] != nil }
        return !WebhookEvent.ownOfAdults.contains(event.kind)
            || event.person.flatMap { people[$0]?.role } != .adult
    }

    /// One try to send a message.
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

        /// Whether the other side accepted it, with a status from 200 to 299. A redirect is not followed: it is a
        /// failure.
        package var isTaken: Bool {
            if case .answered(let status) = self { (200...299).contains(status) } else { false }
        }
    }

    /// Why there was no answer.
    package enum Failure: String, Codable, Sendable, CaseIterable {
        case unknownHost, notAllowed, needsTLS, unreachable, timedOut, insecure, unreadable
        /// The signing secret is gone, as after a restore on another machine.
        case noSecret
    }
}

extension Webhook.Outcome {
    /// The end of a sentence: `answered 204`, `could not be reached`.
    package var words: String {
        switch self {
        case .answered(let status) where (300...399).contains(status):
            "answered \(status), a redirect, which is not followed"
        case .answered(let status): "answered \(status)"
        case .failed(.unknownHost): "there is no server of this name"
        case .failed(.notAllowed): "the address leads back to this machine, or it is reserved"
        case .failed(.needsTLS): "the address is on the internet, so it needs https"
        case .failed(.unreachable): "could not be reached"
        case .failed(.timedOut): "did not answer in time"
        case .failed(.insecure): "its certificate cannot be trusted"
        case .failed(.unreadable): "its answer is not readable"
        case .failed(.noSecret): "its secret is gone; remove it and add it again"
        }
    }
}
