import Foundation
import GRDB
import Policy
import Synchronization

extension HouseholdStore {
    /// How often a rule is applied again after another change came first.
    private static let attempts = 50
    /// How long to wait for that other change, in seconds.
    private static let patience: TimeInterval = 2

    /// Whether the household is on several machines.
    package var isShared: Bool { state.withLock { $0.sharing != nil } }

    /// The last change that this node knows; nil: the household is on one machine.
    package var head: Head? { state.withLock { $0.sharing?.head } }

    /// Whether a change holds here of which the other nodes were not told.
    package var isUntold: Bool { state.withLock { $0.sharing?.isPending ?? false } }

    /// From now on the nodes must agree on every change.
    ///
    /// - Parameter node: this node's number, from 0.
    package func share(by agreement: any Agreement, as node: Int) throws {
        try inLine { db in
            var sharing = try SharedTable.load(db, agreement: agreement, node: node)
            sharing.isDoubtful = !opening.damage.isEmpty
            state.withLock { $0.sharing = sharing }
        }
    }

    /// Repeats `attempt` until no other change comes first.
    func untilAgreed<T>(_ attempt: () throws -> T) throws -> T {
        for _ in 0..<Self.attempts {
            let before = head
            do { return try attempt() } catch is HeadMoved { waitForHead(after: before) }
        }
        throw StoreError.busy
    }

    /// Waits outside the database's queue, so that the other nodes' change can get in.
    private func waitForHead(after known: Head?) {
        let limit = Date(timeIntervalSinceNow: Self.patience)
        headMoved.lock()
        defer { headMoved.unlock() }
        while head == known, headMoved.wait(until: limit) {}
    }

    /// Agrees with the others on a change of the household. Returns the state to keep; nil: the change concerns nobody
    /// else.
    func agree(
        _ db: Database, from old: Household, to new: Household, telling story: Story, keeping: Keeping
    ) throws -> Sharing? {
        guard let sharing = state.withLock({ $0.sharing }) else { return nil }
        let changes = EntityChanges(from: old, to: new.withHistoryWritten)
        var puts: [String: String] = [:]
        for (key, entity) in changes.put {
            puts[key.name] = try Self.patched(
                sharing.texts[key.name], from: changes.before[key]?.json(), to: entity.json())
        }
        let removals = changes.removed.map(\.name)
        return try agree(
            db, sharing, puts: puts, removals: Set(removals).filter { sharing.texts[$0] != nil },
            telling: story, keeping: keeping)
    }

    /// The same for a change of access.
    func agree(_ db: Database, from old: Access, to new: Access, keeping: Keeping) throws -> Sharing? {
        guard let sharing = state.withLock({ $0.sharing }) else { return nil }
        let (before, after) = (try old.texts(), try new.texts())
        let puts = try after.filter { before[$0.key] != $0.value }.map { name, text in
            (name, try Self.patched(sharing.texts[name], from: before[name], to: text))
        }
        return try agree(
            db, sharing, puts: Dictionary(uniqueKeysWithValues: puts),
            removals: Set(before.keys).subtracting(after.keys), telling: Story(), keeping: keeping)
    }

    private func agree(
        _ db: Database, _ old: Sharing, puts: [String: String], removals: Set<String>, telling story: Story,
        keeping: Keeping
    ) throws -> Sharing? {
        guard !puts.isEmpty || !removals.isEmpty || !story.isEmpty else { return nil }
        do {
            guard !old.isPending else {
                throw StoreError.cutOff(reason: "it tells them first what happened here")
            }
            guard keeping == .onDisk || puts.count + removals.count <= Proposal.most else {
                throw StoreError.cutOff(reason: "it tells them in several parts")
            }
            return try propose(db, old, puts: puts, removals: removals, telling: story)
        } catch let error as StoreError {
            guard case .cutOff = error, keeping == .evenInMemory else { throw error }
            // The change holds here at once; `tellOthers` tells the others when it can.
            try SharedTable.keep(db, story)
            var sharing = old
            sharing.isPending = true
            return sharing
        }
    }

    func propose(
        _ db: Database, _ old: Sharing, puts: [String: String], removals: Set<String>, telling story: Story
    ) throws -> Sharing {
        var sharing = old
        sharing.texts.merge(puts) { $1 }
        for name in removals { sharing.texts[name] = nil }
        sharing.head = try old.agreement.propose(
            Proposal(
                id: UUID(), head: old.head, puts: puts, removals: removals, count: sharing.texts.count,
                story: story.isEmpty ? nil : try story.json))
        sharing.isBehind = false
        try SharedTable.write(db, from: old, to: sharing)
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
