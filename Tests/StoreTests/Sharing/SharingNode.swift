import Foundation
import Policy
import Synchronization
import Testing

@testable import Store

/// What etcd is to the nodes: changes in one order, each against the newest head.
final class SharedTableOfNodes: Sendable {
    struct State {
        var head = Head(revision: 1, number: 1)
        var texts: [String: String] = [:]
        var stories: [Int64: String] = [:]
        /// What the last change put and removed.
        var latest: (puts: [String: String], removals: Set<String>) = ([:], [])
        var isThere = true
        /// Whether nodes are linked.
        var isLinked = true
        /// Whether changes have proofs.
        var isProving = false
        var proof: Proof?
        /// Why no change comes through.
        var fault: (any Error)?
        var steps: [Int64: Data] = [:]
    }

    let state = Mutex(State())

    var whole: SharedNews {
        state.withLock { Self.whole($0) }
    }

    static func whole(_ state: State) -> SharedNews {
        var news = SharedNews(
            head: state.head, isWhole: true, puts: state.texts, stories: state.stories, proof: state.proof)
        news.steps = state.steps
        return news
    }

    func commit(_ proposal: Proposal) throws -> Head {
        try state.withLock { state in
            guard state.isLinked else { throw NotInTouchYet(reason: "it reads") }
            if let fault = state.fault { throw fault }
            guard state.isThere else { throw StoreError.cutOff(reason: "etcd does not answer") }
            guard proposal.head == state.head else { throw HeadMoved() }
            state.texts.merge(proposal.puts) { $1 }
            state.latest = (proposal.puts, proposal.removals)
            for name in proposal.removals { state.texts[name] = nil }
            #expect(proposal.count == state.texts.count)
            state.proof = state.isProving ? proposal.proof : nil
            state.head = Head(
                revision: state.head.revision + 7, number: state.head.number + 1, chain: state.proof?.chain)
            state.steps[state.head.number] = state.proof?.texts
            if let story = proposal.story { state.stories[state.head.number] = story }
            return state.head
        }
    }
}

/// Hears the others before each proposal is refused for a second time.
final class SharingNode: Agreement {
    let table: SharedTableOfNodes
    let store: HouseholdStore
    /// Called before each proposal.
    let beforeProposing = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameters:
    ///   - store: nil: a new one in memory.
    ///   - hears: whether it hears the others at once.
    init(
        _ table: SharedTableOfNodes, _ number: Int, _ store: HouseholdStore? = nil, hears: Bool = true
    ) throws {
        self.table = table
        self.store = try store ?? HouseholdStore.inMemory(Household.new(timeZone: "Europe/Berlin"))
        try self.store.share(by: self, as: number)
        if number == 0 {
            let texts = try self.store.textsToShare()
            table.state.withLock { $0.texts = texts }
        }
        if hears { try hear() }
    }

    let now: @Sendable () -> Date = { Date(milliseconds: 1_795_262_400_000) }
    /// By how many seconds this node's clock is ahead of those of others.
    let leads = Mutex<[Int: TimeInterval]>([:])

    func lead(over node: Int) -> TimeInterval? { leads.withLock { $0[node] } }

    func hear() throws { try store.hear(table.whole) }

    func propose(_ proposal: Proposal) throws -> Head {
        beforeProposing.withLock { $0 }?()
        do { return try table.commit(proposal) } catch let moved as HeadMoved {
            DispatchQueue.global().async { try? self.hear() }
            throw moved
        }
    }
}
