package import Foundation
import GRDB
import Logging
package import Policy
import Synchronization

extension HouseholdStore {
    /// Says that there may be letters to send: at once, and whenever some were put in line.
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

    /// What is to be sent now; it counts as under way until it is settled.
    ///
    /// On the disk it stands as tried in vain from here on: one that takes the process with it is not the first thing
    /// that the next start does, and after its last try it does not come back at all.
    package func takeLetters(at now: Date) -> [(letter: WebhookLetter, webhook: Webhook)] {
        // In this order: a webhook that is not in the list may have come since, and its person before it.
        let listed = webhookState.withLock { $0.list }
        let people = Set(household.people.map(\.id))
        let gone = Set(listed.filter { $0.person.map { !people.contains($0) } ?? false }.map(\.id))
        let taken = webhookState.withLock { state in
            let here = Dictionary(
                state.list.filter { !gone.contains($0.id) }.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
            // Those of a person who was removed went with their webhook.
            state.queue.forget(where: { here[$0] == nil })
            return state.queue.take(at: now).compactMap { letter in here[letter.webhook].map { (letter, $0) }
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
            log.warning("That webhooks are told could not be written: \(error)")
        }
    }

    /// When somebody has to look for letters again; nil: nothing waits.
    package func nextLetter(at now: Date) -> Date? { webhookState.withLock { $0.queue.next(at: now) } }

    /// How many wait for a webhook, with those that are under way.
    package func waitingLetters(of webhook: Webhook.ID) -> Int {
        webhookState.withLock { $0.queue.letters.count { $0.webhook == webhook } }
    }

    /// Notes what became of a try. Where the disk refuses it, it holds all the same, and is written with the next.
    package func settle(_ letter: WebhookLetter, _ attempt: Webhook.Attempt) {
        let attempt = Webhook.Attempt(at: attempt.at.asStored, outcome: attempt.outcome)
        let fate = webhookState.withLock { state in
            if let place = state.list.firstIndex(where: { $0.id == letter.webhook }) {
                state.list[place].latest = attempt
            }
            return state.queue.settle(letter.id, isTaken: attempt.outcome.isTaken, at: attempt.at)
        }
        do {
            try inLine { db in
                let unwritten = webhookState.withLock { $0.unwritten }
                try commit(db) {
                    switch fate {
                    case .again(let letter): try WebhookRecord.write(db, letter)
                    case .taken, .givenUp, .unknown: try WebhookRecord.deleteLetter(db, letter.id)
                    }
                    for id in unwritten { try WebhookRecord.deleteLetter(db, id) }
                    try WebhookRecord.note(db, attempt, of: letter.webhook)
                } adopting: {
                    webhookState.withLock { $0.unwritten.subtract(unwritten) }
                }
            }
        } catch {
            if case .again = fate {} else { webhookState.withLock { _ = $0.unwritten.insert(letter.id) } }
            log.warning("What became of a webhook could not be written: \(error)")
        }
    }

    /// "Send a test": in line behind what waits. Throws `unknownWebhook`.
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

    /// What a change is to be told as; empty where nobody wants to hear of it.
    func letters(of change: HouseholdChange) -> [WebhookLetter] {
        let (list, teller) = webhookState.withLock { ($0.list, $0.teller) }
        guard !list.isEmpty, let teller else { return [] }
        let (events, now) = teller(change)
        return letters(for: events, at: now, to: list, people: change.new.people)
    }

    /// What is to be told beside a change of the household.
    func letters(for events: [WebhookEvent], at now: Date) -> [WebhookLetter] {
        letters(for: events, at: now, to: webhookState.withLock { $0.list }, people: household.people)
    }

    private func letters(
        for events: [WebhookEvent], at now: Date, to list: [Webhook], people: [Person]
    ) -> [WebhookLetter] {
        let people = Dictionary(people.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return events.flatMap { event in
            list.filter { $0.wants(event, of: people) }.compactMap {
                webhook in
                let id = UUID()
                guard let body = try? event.body(id: WebhookLetter.name(id), form: webhook.form) else {
                    return nil
                }
                return WebhookLetter(
                    id: id, webhook: webhook.id, event: event.kind.rawValue, body: body, due: now.asStored)
            }
        }
    }

    /// After their rows are written, or where the disk refused them; then they are written when they are tried again.
    func putInLine(_ letters: [WebhookLetter], _ db: Database) {
        guard !letters.isEmpty else { return }
        let dropped = webhookState.withLock { state in
            let dropped = state.queue.add(letters)
            state.wake()
            return dropped
        }
        // A row too many does no harm: it is dropped again at the next start.
        for letter in dropped { try? WebhookRecord.deleteLetter(db, letter.id) }
    }
}
