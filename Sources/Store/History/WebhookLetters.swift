package import Foundation
import GRDB
import Logging
package import Policy
import Synchronization

extension HouseholdStore {
    /// Signals that there may be letters to send: at once, and whenever some were queued.
    package func webhookNews() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in
            self?.webhookState.withLock { $0.listeners[id] = nil }
        }
        webhookState.withLock {
            $0.listeners[id] = continuation
            continuation.yield()
        }
        return stream
    }

    /// The letters to send now; they count as under way until they are settled.
    ///
    /// The disk records the try as failed from here on. So a letter that crashes the process is not the first thing
    /// that the next start sends, and after its last try it does not come back.
    package func takeLetters(at now: Date) -> [(letter: WebhookLetter, webhook: Webhook)] {
        let held = heldBack
        let taken = webhookState.withLock { state in
            let here = Dictionary(state.list.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            return state.queue.take(at: now, without: held).compactMap { letter in
                here[letter.webhook].map { (letter, $0) }
            }
        }
        if !taken.isEmpty { note(taken.map(\.0), takenAt: now) }
        return taken
    }

    private func note(_ letters: [WebhookLetter], takenAt now: Date) {
        do {
            try inLine { db in
                try commit(db) {
                    for letter in letters {
                        if let again = letter.inVain(at: now.asStored) {
                            try WebhookRecord.write(db, again)
                        } else {
                            try WebhookRecord.deleteLetter(db, letter.id)
                        }
                    }
                } adopting: {
                }
            }
        } catch {
            log.warning("A message for webhooks could not be written: \(error)")
        }
    }

    /// When to look for letters again; nil: nothing waits.
    package func nextLetter(at now: Date) -> Date? {
        let held = heldBack
        return webhookState.withLock { $0.queue.next(at: now, without: held) }
    }

    /// How many letters wait for a webhook, with those under way.
    package func waitingLetters(of webhook: Webhook.ID) -> Int {
        webhookState.withLock { $0.queue.letters.count { $0.webhook == webhook } }
    }

    /// Notes the outcome of a try. If the disk refuses, it holds in memory, and is written with the next.
    package func settle(_ letter: WebhookLetter, _ attempt: Webhook.Attempt) {
        let attempt = Webhook.Attempt(at: attempt.at.asStored, outcome: attempt.outcome)
        let fate = webhookState.withLock { state in
            state.note(attempt, of: letter.webhook)
            return state.queue.settle(letter.id, isTaken: attempt.outcome.isTaken, at: attempt.at)
        }
        do {
            try untilAgreed(.evenInMemory) { trying in
                try inLine { db in try write(fate, of: letter, attempt, db, trying) }
            }
        } catch {
            if case .again = fate {} else { webhookState.withLock { _ = $0.unwritten.insert(letter.id) } }
            log.warning("The result of a webhook could not be written: \(error)")
        }
    }

    private func write(
        _ fate: WebhookQueue.Fate, of letter: WebhookLetter, _ attempt: Webhook.Attempt, _ db: Database,
        _ trying: Try
    ) throws {
        let unwritten = webhookState.withLock { $0.unwritten }
        try commitAgreed(db) { agreed in
            if case .again(let letter) = fate {
                try WebhookRecord.write(db, letter)
            } else {
                try WebhookRecord.deleteLetter(db, letter.id)
            }
            for id in unwritten { try WebhookRecord.deleteLetter(db, id) }
            try WebhookRecord.note(db, attempt, of: letter.webhook)
            if case .again = fate { return }
            agreed = try agreeOnLetters(db, trying: trying)
        } adopting: { _ in
            webhookState.withLock { $0.unwritten.subtract(unwritten) }
        }
    }

    /// "Send a test": queued behind all waiting letters. Throws `unknownWebhook`.
    package func putTestInLine(for webhook: Webhook.ID, at now: Date) throws {
        guard let form = webhooks.first(where: { $0.id == webhook })?.form else {
            throw Refusal.unknownWebhook
        }
        let id = UUID()
        let letter = WebhookLetter(
            id: id, webhook: webhook, event: WebhookEvent.testName,
            body: try WebhookEvent.testBody(id: WebhookLetter.name(id), form: form, at: now),
            due: now.asStored)
        try inLine { db in
            try commit(db) {
                try WebhookRecord.write(db, letter)
            } adopting: {
                putInLine([letter], db)
            }
        }
    }

    /// The letters that tell of a change; empty if nobody wants them.
    func letters(of change: HouseholdChange) -> [WebhookLetter] {
        let (list, teller) = webhookState.withLock { ($0.list, $0.teller) }
        guard !list.isEmpty, let teller else { return [] }
        let (events, now) = teller(change)
        return letters(for: events, at: now, to: list, people: change.new.people)
    }

    /// The letters that tell of events which are no change of the household.
    func letters(for events: [WebhookEvent], at now: Date) -> [WebhookLetter] {
        letters(for: events, at: now, to: webhookState.withLock { $0.list }, people: household.people)
    }

    private func letters(
        for events: [WebhookEvent], at now: Date, to list: [Webhook], people: [Person]
    ) -> [WebhookLetter] {
        let people = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return events.flatMap { event in
            list.filter { $0.wants(event, of: people) }.compactMap { letter(of: event, at: now, to: $0) }
        }
    }

    private func letter(of event: WebhookEvent, at now: Date, to webhook: Webhook) -> WebhookLetter? {
        let (id, token) = (UUID(), randomToken())
        // The asking person may read their own webhook, and must not answer themselves.
        let server = webhook.person == nil ? webhookState.withLock { $0.server } : nil
        let links = event.question.flatMap { question in
            server.map { AnswerLinks(question: question, server: $0(), token: token) }
        }
        guard let body = try? event.body(id: WebhookLetter.name(id), form: webhook.form, links: links) else {
            return nil
        }
        return WebhookLetter(
            id: id, webhook: webhook.id, event: event.kind.rawValue, body: body, due: now.asStored,
            link: links.map { WebhookLetter.Link(tokenHash: sha256(token), question: $0.question) })
    }

    /// Queues letters. Returns those that made room.
    @discardableResult
    func queue(_ letters: [WebhookLetter]) -> [WebhookLetter] {
        guard !letters.isEmpty else { return [] }
        return webhookState.withLock { state in
            let known = Set(state.queue.letters.map(\.id))
            let dropped = state.queue.add(letters.filter { !known.contains($0.id) })
            state.wake()
            return dropped
        }
    }

    /// Queues letters after their rows are written, or after the disk refused them; then their next try writes them.
    func putInLine(_ letters: [WebhookLetter], _ db: Database) {
        // A row too many does no harm: it is dropped again at the next start.
        for letter in queue(letters) { try? WebhookRecord.deleteLetter(db, letter.id) }
    }
}
