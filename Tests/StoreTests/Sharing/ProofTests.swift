import Foundation
import Policy
import Synchronization
import Testing

@testable import Store

/// Somebody without the household's key can delete sealed records and put earlier ones back. No node hears of it.
struct ProofTests {
    private static let session = "document/session/1"
    private static let person = "document/person/1"
    private let table = SharedTableOfNodes()

    init() { table.state.withLock { $0.isProving = true } }

    private func rename(_ node: SharingNode, _ name: String) throws {
        try node.store.change { household, log in
            household.people[0].name = name
            log.append(LogEntry(.ruleChanged, person: me, at: Date(milliseconds: 7), detail: name))
        }
    }

    /// Two nodes that know a strict session.
    private func asleep() throws -> (SharingNode, SharingNode) {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        try rename(a, "First")
        try a.store.change { $0.people[0].session = .example(strictness: .strict) }
        try b.hear()
        return (a, b)
    }

    private func expectForeign(_ node: SharingNode, _ news: SharedNews) throws {
        let before = (node.store.household, node.store.head)
        #expect(throws: ForeignNews.self) { try node.store.hear(news) }
        #expect(node.store.household == before.0 && node.store.head == before.1)
    }

    @Test("A deleted session beside the head's own bytes ends no session, and the next change works")
    func deleted() throws {
        let (a, b) = try asleep()
        table.state.withLock { $0.head.revision += 1 }
        var news = table.whole
        news.puts[Self.session] = nil
        for node in [a, b] {
            try node.store.hear(
                SharedNews(
                    head: news.head, isWhole: false, puts: [:], removals: [Self.session], proof: news.proof))
            try node.store.hear(news)
            #expect(node.store.household.people[0].session?.strictness == .strict)
            #expect(node.store.head == news.head)
        }
        try rename(b, "Afterwards")
        try a.hear()
        #expect(a.store.household == b.store.household && a.store.household.people[0].session != nil)
    }

    @Test(
        "A node that knows less hears no state in which a record is missing, earlier, unreadable or too many")
    func tampered() throws {
        let (a, b) = try asleep()
        let early = try #require(table.whole.puts[Self.person])
        try rename(a, "Second")
        let whole = table.whole
        var wrong = Array(repeating: whole, count: 5)
        wrong[0].puts[Self.session] = nil
        wrong[1].puts[Self.person] = early
        wrong[2].puts["access/login/\(String(repeating: "ab", count: 32))"] = "{}"
        wrong[3].puts[Self.session] = nil
        wrong[3].unreadable = [Self.session]
        // What is missing is not to be hidden by something else.
        wrong[4].puts[Self.session] = nil
        wrong[4].puts["document/session/99"] = "{}"
        for news in wrong { try expectForeign(b, news) }
        try b.store.hear(whole)
        #expect(b.store.household.people[0].name == "Second")
    }

    @Test("Each change since the known one must be there, and be the one that was made")
    func chained() throws {
        let (a, b) = try asleep()
        for name in ["Second", "Third"] { try rename(a, name) }
        let whole = table.whole
        var wrong = Array(repeating: whole, count: 4)
        wrong[0].steps[whole.head.number - 1] = nil
        wrong[1].stories[whole.head.number] = "{}"
        // Of a change by itself, only the next counts.
        wrong[2].isWhole = false
        wrong[2].steps = [whole.head.number: whole.proof?.texts ?? Data()]
        // A build from before the proofs.
        wrong[3].proof = nil
        for news in wrong { try expectForeign(b, news) }
        try b.store.hear(whole)
        #expect(b.store.head == whole.head)
    }

    @Test("A state that was put back and went on from there is none of the household's")
    func forked() throws {
        let (a, b) = try asleep()
        let before = table.state.withLock { $0 }
        let knowing = try SharingNode(table, 2)
        try rename(a, "Tightened")
        try b.hear()
        // A machine that was off meanwhile does not know better, and goes on from there.
        table.state.withLock { state in
            let revision = state.head.revision
            state = before
            state.head.revision = revision + 1
        }
        try knowing.hear()
        for name in ["x", "y"] { try rename(knowing, name) }
        try expectForeign(b, table.whole)
        #expect(b.store.household.people[0].name == "Tightened")
    }

    @Test("A new machine hears what its invitation tells, or what was made of that")
    func invited() throws {
        let (a, _) = try asleep()
        let early = table.whole
        try rename(a, "Second")
        let base = table.whole.head
        func joining() throws -> HouseholdStore {
            let store = try HouseholdStore.inMemory(Household.new(timeZone: "Europe/Berlin"))
            try store.share(by: a, as: 3)
            return store
        }
        var old = early
        old.base = base
        #expect(throws: ForeignNews.self) { try joining().hear(old) }
        try rename(a, "Third")
        var new = table.whole
        new.base = base
        let store = try joining()
        try store.hear(new)
        #expect(store.household == a.store.household)
        new.steps[base.number + 1] = nil
        #expect(throws: ForeignNews.self) { try joining().hear(new) }
    }

    @Test("The first proof counts on a node that knew none, and a restart remembers the last")
    func begins() throws {
        let scratch = Scratch()
        table.state.withLock { $0.isProving = false }
        let a = try SharingNode(table, 0)
        let b = try SharingNode(table, 1, try scratch.open())
        #expect(b.store.head?.chain == nil)
        table.state.withLock { $0.isProving = true }
        try rename(a, "Proven")
        try b.hear()
        let head = table.whole.head
        #expect(head.chain != nil && b.store.head == head)
        let rows = try HouseholdStore.readOnly(directory: scratch.path, log: .silent)
        #expect(rows.storedHead == head)
    }

    @Test("A digest tells names from texts")
    func digests() {
        let texts = ["a": "bc", "d": ""]
        #expect(Proof.digest(texts) == Proof.digest(["d": "", "a": "bc"]))
        for other in [["ab": "c", "d": ""], ["a": "bcd"], ["a": "bc"], ["a": "bc", "d": "0"], [:]] {
            #expect(Proof.digest(other) != Proof.digest(texts))
        }
    }
}
