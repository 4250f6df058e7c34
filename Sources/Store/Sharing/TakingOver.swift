import Foundation
import GRDB
import Policy
import Synchronization

extension HouseholdStore {
    /// How many letters, of which the others were not told when they were made, go into one text.
    private static let portion = 50

    /// What waits to be sent here, with what is under way.
    private var waiting: [WebhookLetter] { webhookState.withLock { $0.queue.letters } }

    /// Letters that this node keeps for now: it cannot ask whether another node sent them.
    var heldBack: Set<WebhookLetter.ID> {
        guard cutOffReason != nil, let sharing = state.withLock({ $0.sharing }) else { return [] }
        return Set(sharing.ownLetters.keys)
    }

    /// Agrees with the others on the letters that are left. Returns the state to keep; nil: nothing changed.
    func agreeOnLetters(
        _ db: Database, insteadOf isGone: (Int) -> Bool = { _ in false }, trying: Try
    ) throws -> Sharing? {
        guard let sharing = state.withLock({ $0.sharing }) else { return nil }
        let (wanted, known) = (try wanted(sharing, insteadOf: isGone), sharing.letterTexts)
        return try agree(
            db, sharing, puts: wanted.filter { known[$0.key] != $0.value },
            removals: Set(known.keys).subtracting(wanted.keys), telling: Story(), trying: trying)
    }

    private func wanted(_ sharing: Sharing, insteadOf isGone: (Int) -> Bool) throws -> [String: String] {
        try sharing.letterTexts(
            waiting: Set(waiting.map(\.id)), webhooks: access.withLock { Set($0.outgoing.webhooks.keys) },
            insteadOf: isGone, at: webhookState.withLock { $0.server }?())
    }

    /// The texts of letters as they should be, with those that were made while the others could not be told.
    func letterTexts(_ sharing: Sharing) throws -> [String: String] {
        let told = sharing.ownLetters
        let untold = waiting.filter { told[$0.id] == nil }
        var texts = try wanted(sharing, insteadOf: { _ in false })
        for start in stride(from: 0, to: untold.count, by: Self.portion) {
            let part = Array(untold.dropFirst(start).prefix(Self.portion))
            texts.merge(try SharedLetters.texts(of: part, by: sharing.node)) { $1 }
        }
        return texts
    }

    /// Sends the letters of nodes that are gone; of several nodes that try it, one gets them. Takes its own letters back
    /// whose webhook is gone.
    package func takeOverLetters(of isGone: (Int) -> Bool) throws {
        try untilAgreed { trying in
            guard let sharing = state.withLock({ $0.sharing }), !sharing.isPending,
                try wanted(sharing, insteadOf: isGone) != sharing.letterTexts
            else { return }
            try inLine { db in
                var next = sharing
                let texts = try wanted(sharing, insteadOf: isGone)
                next.texts = sharing.texts.filter { !$0.key.hasPrefix(SharedLetters.prefix) }
                    .merging(texts) { $1 }
                let taken = next.ownLetters.filter { sharing.ownLetters[$0.key] == nil }.values
                    .sorted { ($0.due, $0.name) < ($1.due, $1.name) }
                try commitAgreed(db) { agreed in
                    for letter in taken { try WebhookRecord.write(db, letter) }
                    agreed = try agreeOnLetters(db, insteadOf: isGone, trying: trying)
                } adopting: { _ in
                    putInLine(taken, db)
                }
            }
        }
    }
}

/// What news change in the queue of letters.
struct HeardLetters {
    /// Another node sends them, or sent them.
    let dropped: [WebhookLetter.ID]
    /// This node sends them: it stopped before it could keep them.
    let added: [WebhookLetter]
    /// The links in the letters of all nodes.
    private let links: [(link: WebhookLetter.Link, at: Date)]

    init(from old: Sharing, to new: Sharing, names: Set<String>) {
        let isNews = names.contains { $0.hasPrefix(SharedLetters.prefix) }
        let (was, now) = isNews ? (old.ownLetters, new.ownLetters) : ([:], [:])
        dropped = was.keys.filter { now[$0] == nil }
        added = now.values.filter { was[$0.id] == nil }
        let news = isNews ? new.letters.filter { old.texts[$0.key] != new.texts[$0.key] } : [:]
        links = news.values.flatMap(\.letters).map(\.letter).compactMap { letter in
            letter.link.map { ($0, letter.due) }
        }
    }

    /// After the webhooks to which they go.
    func write(_ db: Database) throws {
        for id in dropped { try WebhookRecord.deleteLetter(db, id) }
        for letter in added { try WebhookRecord.write(db, letter) }
        for (link, instant) in links { try AnswerLinkRecord.write(db, link, at: instant) }
    }
}
