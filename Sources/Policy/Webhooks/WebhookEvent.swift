package import Foundation

/// An event for webhooks: only what the household's pages and log show, never minutes of use or a visited name.
package struct WebhookEvent: Hashable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        case focusStarted = "focus.started"
        case focusPaused = "focus.paused"
        case focusResumed = "focus.resumed"
        case focusStopped = "focus.stopped"
        case focusCompleted = "focus.completed"
        case sleepStarted = "sleep.started"
        case sleepEnded = "sleep.ended"
        case sleepCancelled = "sleep.cancelled"
        case sleepReset = "sleep.reset"
        case limitReached = "limit.reached"
        case extraTimeAsked = "extra-time.asked"
        case wishAsked = "wish.asked"
        case wishGranted = "wish.granted"
        case wishDeclined = "wish.declined"
        case leaveAsked = "leave.asked"
        case leaveWithdrawn = "leave.withdrawn"
        case deviceLeft = "device.left"
        case deviceRemoved = "device.removed"
        case noticeRaised = "notice.raised"
        case noticeCleared = "notice.cleared"
    }

    /// What only an adult knows about themselves: how long they used something, which answers they got, and that they
    /// plan to leave. That they ask is reported to the people who can answer, and that they left is reported to
    /// everybody, as pages do.
    package static let ownOfAdults: Set<Kind> = [
        .limitReached, .wishGranted, .wishDeclined, .leaveAsked, .leaveWithdrawn,
    ]

    /// What is told beside the person and the time.
    package enum Detail: Hashable, Sendable, Encodable {
        case number(Int)
        case text(String)
        case instant(Date)

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .instant(let instant): try container.encode(instant.inUTC)
            }
        }
    }

    package var kind: Kind
    /// Nil: the whole household's.
    package var person: PersonID?
    /// The person's name at that time.
    package var name: String?
    /// When it was due, which can be before the server noticed.
    package var instant: Date
    package var details: [String: Detail]
    /// The question that it tells of, for links that answer it.
    package var question: UUID?

    package init(
        kind: Kind, person: PersonID?, name: String?, instant: Date, details: [String: Detail] = [:],
        question: UUID? = nil
    ) {
        self.question = question
        self.kind = kind
        self.person = person
        self.name = name
        self.instant = instant
        self.details = details
    }

    /// The body to send, the same bytes at every try: `{"at","data","event","id","person"}`; for ntfy
    /// `{"actions","text","title"}`, from which its message is made.
    ///
    /// - Parameter links: with which the reader answers the question that it tells of.
    package func body(
        id: String, form: Webhook.Form = .json, links: AnswerLinks? = nil
    ) throws -> String {
        switch form {
        case .json:
            var details = details
            details["yes"] = links.map { .text($0.yes) }
            details["no"] = links.map { .text($0.no) }
            return
                try Body(at: instant.inUTC, data: details, event: kind.rawValue, id: id, person: name).json
        case .ntfy:
            return try PlainNotice(title: kind.words, text: plainText, actions: links?.ntfyActions).json
        }
    }

    /// What "Send a test" sends: no real event, and nobody's.
    package static func testBody(id: String, form: Webhook.Form = .json, at now: Date) throws -> String {
        switch form {
        case .json: try Body(at: now.inUTC, data: [:], event: testName, id: id, person: nil).json
        case .ntfy: try PlainNotice(title: "Sleep Inducer", text: "This is a test.").json
        }
    }

    package static let testName = "webhook.test"

    private struct Body: Encodable {
        var at: String
        var data: [String: Detail]
        var event: String
        var id: String
        var person: String?
    }
}

extension Encodable {
    fileprivate var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension Date {
    /// `2026-11-21T12:00:00Z`.
    fileprivate var inUTC: String { formatted(.iso8601) }
}
