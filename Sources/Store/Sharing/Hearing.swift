import Foundation
import GRDB
import Logging
import Policy
import Synchronization

extension HouseholdStore {
    /// Takes what the nodes agreed on, in their order: writes the rows, then changes memory and tells the listeners. If
    /// the disk refuses it, it holds in memory. Does nothing with a change that is not newer than the head, nor with a
    /// whole state that is older: this node can agree on a change while that state is being read. Throws `ForeignNews`
    /// where the nodes did not make the news.
    package func hear(_ news: SharedNews) throws {
        var isMerging = false
        do { try hear(news, mayMerge: true, isMerging: &isMerging) } catch {
            guard isMerging, !(error is ForeignNews) else { throw error }
            log.error("What happened here does not fit what the others say, which holds: \(error)")
            try hear(news, mayMerge: false, isMerging: &isMerging)
        }
        state.withLock { $0.sharing?.isDoubtful = false }
    }

    /// - Parameter isMerging: whether changes that only this node knows were merged into the news. In line, so that it
    ///   counts a change that was made while the news waited.
    private func hear(_ news: SharedNews, mayMerge: Bool, isMerging: inout Bool) throws {
        var heard: Heard?
        _ = try change(keeping: .evenInMemory, isTelling: false) { household, log in
            guard let sharing = state.withLock({ $0.sharing }),
                news.isWhole
                    ? news.head.number >= sharing.head.number
                    : news.head.revision > sharing.head.revision
            else { return }
            if news.areKnown(to: sharing) { return note(revision: news.head.revision) }
            isMerging = mayMerge && sharing.isPending && !sharing.isDoubtful
            let made = try Heard(news, by: self, after: sharing, in: household, isMerging: isMerging)
            household = made.household
            log += made.entries
            heard = made
        } agreeing: { db, _ in
            guard let heard else { return nil }
            if let db { try heard.write(db) }
            return heard.sharing
        } adopting: { isStored in
            guard let heard else { return }
            var new = heard.access
            if isStored {
                new.stored = new.rows
            } else {
                state.withLock { $0.held = $0.held.adding([], heard.past) }
            }
            adopt(new)
            webhookState.withLock { state in
                for id in heard.letters.dropped { state.queue.forget(letter: id) }
            }
            queue(heard.letters.added)
        }
    }

    /// The same change stands at another revision. A restart may forget it: the whole state is read then.
    private func note(revision: Int64) {
        headMoved.lock()
        state.withLock { $0.sharing?.head.revision = revision }
        headMoved.broadcast()
        headMoved.unlock()
    }

    /// Tells the other nodes what happened here while they could not be told: in as many proposals as it takes. What
    /// happened goes with the last one.
    package func tellOthers() throws {
        while isUntold { try untilAgreed { _ in try inLine { db in try tellNext(db) } } }
    }

    private func tellNext(_ db: Database) throws {
        guard let sharing = state.withLock({ $0.sharing }), sharing.isPending else { return }
        let own = try household.withHistoryWritten.told(by: sharing.node, after: sharing.texts).texts()
            .merging(access.withLock { try $0.texts() }) { $1 }.merging(letterTexts(sharing)) { $1 }
        let known = try sharing.asRead(by: access.withLock { $0 })
        let changed = SharedTexts.inOrder(own.filter { known[$0.key] != $0.value }.map(\.key))
        let puts = changed.prefix(Proposal.most)
        // Removals last: nothing that stays refers to them any more.
        let removals = SharedTexts.inOrder(Set(known.keys).subtracting(own.keys)).reversed()
            .prefix(Proposal.most - puts.count)
        let isLast = puts.count + removals.count < Proposal.most
        try commitAgreed(db) { agreed in
            let texts = try puts.map { name in
                (name, try Self.patched(sharing.texts[name], from: known[name], to: own[name] ?? ""))
            }
            let story = isLast ? try SharedTable.kept(db) : Story()
            if isLast { try SharedTable.forgetKept(db) }
            agreed = try propose(
                db, sharing, puts: Dictionary(uniqueKeysWithValues: texts), removals: Set(removals),
                telling: story)
            agreed?.isPending = !isLast
        }
    }

    /// All texts that nodes share, for a household that begins to be on several machines. They keep what a newer build
    /// wrote into the rows.
    package func textsToShare() throws -> [String: String] {
        let node = state.withLock { $0.sharing?.node ?? 0 }
        var texts = try household.withHistoryWritten.told(by: node, after: [:]).texts()
        for row in try read({ try DocumentTable.all($0) }) where row.isWhole {
            guard let text = texts[row.key.name] else { continue }
            texts[row.key.name] = try Self.patched(
                row.json, from: Entity.read(row.key, row.json)?.json(), to: text)
        }
        return try texts.merging(access.withLock { try $0.texts() }) { $1 }
    }

    /// The whole history, in stories of fifty lines.
    package func storiesToShare() throws -> [String] {
        try read { db in
            let entries = try Row.fetchAll(db, sql: "SELECT * FROM event ORDER BY id").compactMap(
                EventLog.entry)
            let past = try Row.fetchAll(db, sql: "SELECT * FROM past_session ORDER BY started_at")
                .compactMap { try? PastSessionRecord.past($0) }
            let focus = try household.people.flatMap { person in
                try FocusSessionRecord.all(db, of: person.id, where: "1").map {
                    Story.Finished(person: person.id, session: $0)
                }
            }
            let size = 50
            let count = max(entries.count, past.count, focus.count)
            return try stride(from: 0, to: count, by: size).map { start in
                var story = Story()
                story.entries = Array(entries.dropFirst(start).prefix(size))
                story.past = Array(past.dropFirst(start).prefix(size))
                story.focus = Array(focus.dropFirst(start).prefix(size))
                return try story.json
            }
        }
    }

    /// From now on the household is on this machine only.
    package func endSharing() throws {
        try inLine { db in
            try commit(db) {
                try SharedTable.clear(db)
            } adopting: {
                state.withLock { $0.sharing = nil }
            }
        }
    }
}

extension Sharing {
    /// The texts as this build would write them, without those that it cannot read.
    func asRead(by access: Access) throws -> [String: String] {
        let readable = try access.taking(texts).texts()
        return try texts.reduce(into: [:]) { read, text in
            if let key = Document.Key(name: text.key) {
                read[text.key] = try Entity.read(key, text.value)?.json() ?? text.value
            } else if readable[text.key] != nil || text.key.hasPrefix(SharedLetters.prefix) {
                read[text.key] = text.value
            }
        }
    }
}
