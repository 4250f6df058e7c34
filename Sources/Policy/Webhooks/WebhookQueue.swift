package import Foundation

/// One message on its way to one webhook.
package struct WebhookLetter: Hashable, Sendable, Identifiable {
    package let id: UUID
    package let webhook: Webhook.ID
    /// A `WebhookEvent.Kind`, or the test's.
    package let event: String
    /// JSON; the same bytes at every try.
    package let body: String
    /// How many tries have failed.
    package var tries: Int
    /// When to try next.
    package var due: Date
    /// The link in the body, to be stored with the letter; nil once it is.
    package let link: Link?

    /// What is stored of a link: the token's hash only, so that a reader of the database cannot answer with it.
    package struct Link: Hashable, Sendable {
        package let tokenHash: Data
        package let question: UUID

        package init(tokenHash: Data, question: UUID) {
            self.tokenHash = tokenHash
            self.question = question
        }
    }

    package init(
        id: UUID, webhook: Webhook.ID, event: String, body: String, tries: Int = 0, due: Date,
        link: Link? = nil
    ) {
        self.link = link
        self.id = id
        self.webhook = webhook
        self.event = event
        self.body = body
        self.tries = tries
        self.due = due
    }

    /// The message's id for both sides, the same at every try: the header `webhook-id`, and `id` in the body.
    package var name: String { Self.name(id) }

    package static func name(_ id: UUID) -> String { "msg_" + id.uuidString.lowercased() }
}

/// Messages that wait to be sent: bounded, two at a time for each webhook, four tries each. No clock, no network.
package struct WebhookQueue: Hashable, Sendable {
    /// Messages for one webhook; the oldest makes room.
    package static let maximum = 200
    /// Messages for one webhook.
    package static let atOnce = 2
    /// Seconds from a failed try to the next; after the last of them the message is dropped.
    package static let delays: [TimeInterval] = [5, 60, 600]

    /// In order of arrival.
    package private(set) var letters: [WebhookLetter]
    private var underWay: [WebhookLetter.ID: Webhook.ID] = [:]
    /// How many messages are being sent, by webhook.
    private var busy: [Webhook.ID: Int] = [:]

    package init(_ letters: [WebhookLetter] = []) { self.letters = letters }

    /// Adds letters. Returns the letters that were dropped to make room.
    package mutating func add(_ new: [WebhookLetter]) -> [WebhookLetter] {
        letters += new
        var excess = letters.reduce(into: [Webhook.ID: Int]()) { $0[$1.webhook, default: 0] += 1 }
            .mapValues { $0 - Self.maximum }.filter { $0.value > 0 }
        guard !excess.isEmpty else { return [] }
        var dropped: [WebhookLetter] = []
        letters.removeAll { letter in
            guard let count = excess[letter.webhook], count > 0, underWay[letter.id] == nil else {
                return false
            }
            excess[letter.webhook] = count - 1
            dropped.append(letter)
            return true
        }
        return dropped
    }

    /// What to send now; each counts as being sent until `settle` reports its result.
    ///
    /// - Parameter held: what stays here for now.
    package mutating func take(at now: Date, without held: Set<WebhookLetter.ID> = []) -> [WebhookLetter] {
        var taken: [WebhookLetter] = []
        for letter in letters
        where underWay[letter.id] == nil && letter.isDue(at: now) && !held.contains(letter.id) {
            guard isFree(letter.webhook) else { continue }
            underWay[letter.id] = letter.webhook
            busy[letter.webhook, default: 0] += 1
            taken.append(letter)
        }
        return taken
    }

    /// What became of a letter.
    package enum Fate: Hashable, Sendable {
        case taken
        /// It waits for its next try.
        case again(WebhookLetter)
        case givenUp
        /// It was no longer queued: its webhook was removed, or it made room.
        case unknown
    }

    package mutating func settle(_ id: WebhookLetter.ID, isTaken: Bool, at now: Date) -> Fate {
        if let webhook = underWay.removeValue(forKey: id) {
            busy[webhook] = busy[webhook].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        guard let place = letters.firstIndex(where: { $0.id == id }) else { return .unknown }
        guard !isTaken, let again = letters[place].inVain(at: now) else {
            letters.remove(at: place)
            return isTaken ? .taken : .givenUp
        }
        letters[place] = again
        return .again(again)
    }

    package mutating func forget(letter id: WebhookLetter.ID) { letters.removeAll { $0.id == id } }

    /// Drops the letters of webhooks that are gone.
    package mutating func forget(where isGone: (Webhook.ID) -> Bool) {
        letters.removeAll { isGone($0.webhook) }
    }

    /// When to look again; nil if nothing waits. `now` or earlier if something is already due.
    package func next(at now: Date, without held: Set<WebhookLetter.ID> = []) -> Date? {
        letters.lazy.filter { underWay[$0.id] == nil && isFree($0.webhook) && !held.contains($0.id) }
            .map { $0.isDue(at: now) ? now : $0.due }.min()
    }

    private func isFree(_ webhook: Webhook.ID) -> Bool { busy[webhook, default: 0] < Self.atOnce }
}

extension WebhookLetter {
    /// The letter after a failed try; nil if that was the last try.
    package func inVain(at now: Date) -> WebhookLetter? {
        guard WebhookQueue.delays.indices.contains(tries) else { return nil }
        var again = self
        again.tries += 1
        again.due = now.addingTimeInterval(WebhookQueue.delays[tries])
        return again
    }

    /// A clock that was set back delays nothing for longer than the longest delay.
    fileprivate func isDue(at now: Date) -> Bool {
        now >= due || due.timeIntervalSince(now) > (WebhookQueue.delays.max() ?? 0)
    }
}
