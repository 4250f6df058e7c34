package import Foundation

/// One message on its way to one webhook.
package struct WebhookLetter: Hashable, Sendable, Identifiable {
    package let id: UUID
    package let webhook: Webhook.ID
    /// Of `WebhookEvent.Kind`, or the test's.
    package let event: String
    /// JSON; the same bytes at every try.
    package let body: String
    /// How often it was tried in vain.
    package var tries: Int
    /// When it is to be tried next.
    package var due: Date

    package init(
        id: UUID, webhook: Webhook.ID, event: String, body: String, tries: Int = 0, due: Date
    ) {
        self.id = id
        self.webhook = webhook
        self.event = event
        self.body = body
        self.tries = tries
        self.due = due
    }

    /// What both sides know it by, over all tries: the header `webhook-id`, and `id` of its body.
    package var name: String { Self.name(id) }

    package static func name(_ id: UUID) -> String { "msg_" + id.uuidString.lowercased() }
}

/// What waits to be sent: bounded, two at a time for each webhook, each tried four times. No clock, no network.
package struct WebhookQueue: Hashable, Sendable {
    /// Of one webhook; the oldest makes room.
    package static let maximum = 200
    /// Of one webhook.
    package static let atOnce = 2
    /// Seconds from a try in vain to the next; after the last of them it is given up.
    package static let delays: [TimeInterval] = [5, 60, 600]

    /// In the order in which they came.
    package private(set) var letters: [WebhookLetter]
    package private(set) var underWay: Set<WebhookLetter.ID> = []

    package init(_ letters: [WebhookLetter] = []) { self.letters = letters }

    /// Puts letters in line. Returns those that made room.
    package mutating func add(_ new: [WebhookLetter]) -> [WebhookLetter] {
        letters += new
        var dropped: [WebhookLetter] = []
        for webhook in Set(new.map(\.webhook)) {
            let excess = letters.lazy.filter { $0.webhook == webhook }.count - Self.maximum
            guard excess > 0 else { continue }
            let waiting = letters.filter { $0.webhook == webhook && !underWay.contains($0.id) }
            dropped += waiting.prefix(excess)
        }
        let gone = Set(dropped.map(\.id))
        letters.removeAll { gone.contains($0.id) }
        return dropped
    }

    /// What is to be sent now; it counts as under way until `settle` says what became of it.
    package mutating func take(at now: Date) -> [WebhookLetter] {
        var taken: [WebhookLetter] = []
        for letter in letters where !underWay.contains(letter.id) && letter.isDue(at: now) {
            guard underWayCount(of: letter.webhook) < Self.atOnce else { continue }
            underWay.insert(letter.id)
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
        /// It was not in line any more: its webhook was removed, or it made room.
        case unknown
    }

    package mutating func settle(_ id: WebhookLetter.ID, isTaken: Bool, at now: Date) -> Fate {
        underWay.remove(id)
        guard let place = letters.firstIndex(where: { $0.id == id }) else { return .unknown }
        let tries = letters[place].tries
        guard !isTaken, Self.delays.indices.contains(tries) else {
            letters.remove(at: place)
            return isTaken ? .taken : .givenUp
        }
        letters[place].tries += 1
        letters[place].due = now.addingTimeInterval(Self.delays[tries])
        return .again(letters[place])
    }

    /// Takes out what was for a webhook that is gone.
    package mutating func forget(_ webhook: Webhook.ID) { letters.removeAll { $0.webhook == webhook } }

    /// When somebody has to look again; nil: nothing waits. Now, or before it, where something is due already.
    package func next(at now: Date) -> Date? {
        letters.lazy.filter { !underWay.contains($0.id) && underWayCount(of: $0.webhook) < Self.atOnce }
            .map { $0.isDue(at: now) ? now : $0.due }.min()
    }

    private func underWayCount(of webhook: Webhook.ID) -> Int {
        letters.lazy.filter { $0.webhook == webhook && underWay.contains($0.id) }.count
    }
}

extension WebhookLetter {
    /// A clock that was set back makes nobody wait longer than the longest delay.
    fileprivate func isDue(at now: Date) -> Bool {
        now >= due || due.timeIntervalSince(now) > (WebhookQueue.delays.max() ?? 0)
    }
}
