import Foundation
import GRDB
import Policy
import Synchronization

extension HouseholdStore {
    /// For how long a rule is applied again after other changes came first. The machine that made those knows the new
    /// head sooner, so it can be first many times in a row.
    private static let persistence = Duration.seconds(10)
    /// How long to wait for that other change, or until this node is in touch.
    private static let patience = Duration.seconds(2)
    /// The same for a way out.
    private static let urgency = Duration.milliseconds(500)

    /// Whether the household is on several machines.
    package var isShared: Bool { state.withLock { $0.sharing != nil } }

    /// The last change that this node knows; nil: the household is on one machine.
    package var head: Head? { state.withLock { $0.sharing?.head } }

    /// That change, and all texts after it; nil: the household is on one machine.
    package var agreed: (head: Head, texts: [String: String])? {
        state.withLock { $0.sharing.map { ($0.head, $0.texts) } }
    }

    /// The same as the rows have it, for a command beside a server.
    package var storedHead: Head? { try? read(SharedTable.known) }

    /// Whether a change holds here of which the other nodes were not told.
    package var isUntold: Bool { state.withLock { $0.sharing?.isPending ?? false } }

    /// From now on the nodes must agree on every change.
    ///
    /// - Parameter node: this node's number, from 0.
    package func share(by agreement: any Agreement, as node: Int) throws {
        // Made before anything is sealed with it, so that all nodes have the same.
        _ = try? outboundKey(orNew: true)
        try inLine { db in
            var sharing = try SharedTable.load(db, agreement: agreement, node: node)
            sharing.isDoubtful = !opening.damage.isEmpty
            // An older build kept these to itself.
            let own = try access.withLock { try $0.outgoing.texts() }
            if sharing.head != .none, own.keys.contains(where: { sharing.texts[$0] == nil }) {
                sharing.isPending = true
            }
            state.withLock { $0.sharing = sharing }
        }
    }

    /// Repeats `attempt` until no other change comes first, and this node is in touch. What may hold in memory does not
    /// wait for that: where no other change is heard, its last try holds here.
    func untilAgreed<T>(_ keeping: Keeping = .onDisk, _ attempt: (Try) throws -> T) throws -> T {
        let begun = ContinuousClock.now
        var waited: ContinuousClock.Instant?
        let isUrgent = keeping == .evenInMemory
        repeat {
            let before = touch
            do { return try attempt(Try(keeping: keeping)) } catch is HeadMoved {
                waited = nil
                wait(after: before, atMost: isUrgent ? Self.urgency : Self.patience)
                if isUrgent, touch == before { break }
            } catch let error as NotInTouchYet {
                let since = waited ?? .now
                waited = since
                let left = Self.patience - (.now - since)
                guard left > .zero else { throw StoreError.cutOff(reason: error.reason) }
                wait(after: before, atMost: left)
            }
        } while ContinuousClock.now - begun < (isUrgent ? Self.patience : Self.persistence)
        guard isUrgent else { throw StoreError.busy }
        return try attempt(Try(keeping: keeping, isLast: true))
    }

    /// What a change waits for.
    private struct Touch: Equatable {
        var head: Head?
        var count: Int
    }

    private var touch: Touch { state.withLock { Touch(head: $0.sharing?.head, count: $0.touches) } }

    /// Waits outside the database's queue, so that the other nodes' changes can get in.
    private func wait(after known: Touch, atMost patience: Duration) {
        let limit = Date(timeIntervalSinceNow: patience / .seconds(1))
        headMoved.lock()
        defer { headMoved.unlock() }
        while touch == known, headMoved.wait(until: limit) {}
    }

    /// Notes why the other nodes cannot be asked; nil: they can.
    package func noteCutOff(_ reason: String?) {
        headMoved.lock()
        state.withLock {
            $0.cutOff = reason
            $0.touches += 1
        }
        headMoved.broadcast()
        headMoved.unlock()
        // What was held back may be sent.
        if reason == nil { webhookState.withLock { $0.wake() } }
    }

    /// Agrees with the others on a change of the household. Returns the state to keep; nil: the change concerns nobody
    /// else. Without a database nothing is written.
    func agree(
        _ db: Database?, from old: Household, to new: Household, telling story: Story,
        _ letters: [WebhookLetter], trying: Try
    ) throws -> Sharing? {
        guard let sharing = state.withLock({ $0.sharing }) else { return nil }
        let changes = EntityChanges(
            from: old.told(by: sharing.node, after: sharing.texts),
            to: new.withHistoryWritten.told(by: sharing.node, after: sharing.texts))
        var puts = try SharedLetters.texts(of: letters, by: sharing.node)
        for (key, entity) in changes.put {
            puts[key.name] = try Self.patched(
                sharing.texts[key.name], from: changes.before[key]?.json(), to: entity.json())
        }
        let removals = Set(changes.removed.map(\.name))
            .union(try outgoingNames(without: Set(new.people.map(\.id))))
        return try agree(
            db, sharing, puts: puts, removals: removals.filter { sharing.texts[$0] != nil },
            telling: story, trying: trying)
    }

    /// The names of what goes with people who are gone.
    private func outgoingNames(without people: Set<PersonID>) throws -> Set<String> {
        let outgoing = access.withLock { $0.outgoing }
        let left = outgoing.of(people)
        return outgoing == left ? [] : Set(try outgoing.texts().keys).subtracting(try left.texts().keys)
    }

    /// The same for a change of access.
    func agree(_ db: Database?, from old: Access, to new: Access, trying: Try) throws -> Sharing? {
        guard let sharing = state.withLock({ $0.sharing }) else { return nil }
        let (before, after) = (try old.texts(), try new.texts())
        let puts = try after.filter { before[$0.key] != $0.value }.map { name, text in
            (name, try Self.patched(sharing.texts[name], from: before[name], to: text))
        }
        return try agree(
            db, sharing, puts: Dictionary(uniqueKeysWithValues: puts),
            removals: Set(before.keys).subtracting(after.keys), telling: Story(), trying: trying)
    }

    /// The same for texts.
    func agree(
        _ db: Database?, _ old: Sharing, puts: [String: String], removals: Set<String>, telling story: Story,
        trying: Try
    ) throws -> Sharing? {
        guard !puts.isEmpty || !removals.isEmpty || !story.isEmpty else { return nil }
        do {
            guard !old.isPending else {
                let (trouble, cutOff) = state.withLock { ($0.trouble, $0.cutOff) }
                throw trouble ?? cutOff.map { StoreError.cutOff(reason: $0) }
                    ?? NotInTouchYet(reason: "it tells them first what happened here")
            }
            guard trying.keeping == .onDisk || puts.count + removals.count <= Proposal.most else {
                throw StoreError.cutOff(reason: "it tells them in several parts")
            }
            return try propose(db, old, puts: puts, removals: removals, telling: story)
        } catch {
            guard trying.holds(after: error) else { throw error }
            // The change holds here at once; `tellOthers` tells the others when it can.
            if let db { try SharedTable.keep(db, story) }
            var sharing = old
            sharing.isPending = true
            return sharing
        }
    }

    /// Asks for the disk's room first, then the others. The head's row is the caller's (`commitAgreed`).
    func propose(
        _ db: Database?, _ old: Sharing, puts: [String: String], removals: Set<String>, telling story: Story
    ) throws -> Sharing {
        var sharing = old
        sharing.texts.merge(puts) { $1 }
        for name in removals { sharing.texts[name] = nil }
        let told = story.isEmpty ? nil : try story.json
        let proposal = Proposal(
            id: UUID(), head: old.head, puts: puts, removals: removals, count: sharing.texts.count,
            story: told, proof: Proof(of: sharing.texts, after: old.head, story: told))
        if let db {
            try SharedTable.write(db, from: old.texts, to: sharing.texts)
            try askDisk(db)
        }
        do { sharing.head = try old.agreement.propose(proposal) } catch {
            // What holds here alone is not what was agreed on.
            if let db { try SharedTable.write(db, from: sharing.texts, to: old.texts) }
            throw error
        }
        return sharing
    }

    /// Keeps what a newer build wrote wherever this change does not touch it.
    static func patched(_ text: String?, from old: String?, to new: String) throws -> String {
        guard let text, let old, text != old, let theirs = try? JSONValue(json: text) else { return new }
        let merged = JSONValue.merged(
            base: try JSONValue(json: old), mine: try JSONValue(json: new), theirs: theirs, preferring: .mine)
        return try merged?.json ?? new
    }

    /// - Parameter isBehind: whether the disk refused it.
    func adopt(_ sharing: Sharing, isBehind: Bool = false) {
        var sharing = sharing
        sharing.isBehind = isBehind
        headMoved.lock()
        state.withLock { $0.sharing = sharing }
        headMoved.broadcast()
        headMoved.unlock()
    }
}

/// One of the tries to agree on a change.
struct Try {
    let keeping: Keeping
    /// Whether no other one follows.
    var isLast = false

    /// Whether the change holds on this node alone, because the others could not agree, for whatever reason. Only where
    /// another change came first is the rule applied again to that.
    func holds(after error: any Error) -> Bool {
        keeping == .evenInMemory && (isLast || !(error is HeadMoved))
    }
}
