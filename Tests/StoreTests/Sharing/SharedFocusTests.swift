import Foundation
import Policy
import Synchronization
import Testing

@testable import Store

/// A focus timer in a household on several machines whose clocks differ.
struct SharedFocusTests {
    private static let ten = Date(milliseconds: 1_795_262_400_000)
    private static let half: TimeInterval = 1_800

    /// The second node's clock is ahead of the first's.
    private static func two(ahead: TimeInterval) throws -> (
        table: SharedTableOfNodes, a: SharingNode, b: SharingNode
    ) {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        a.leads.withLock { $0[1] = -ahead }
        b.leads.withLock { $0[0] = ahead }
        return (table, a, b)
    }

    private static func start(_ node: SharingNode, at now: Date, _ session: UUID = UUID()) throws {
        try node.store.change { _ = try $0.startFocus(me, minutes: 25, session: session, at: now) }
    }

    private static func settle(_ node: SharingNode, at now: Date) throws {
        try node.store.change(keeping: .evenInMemory) { _ = $0.settle(at: now, newID: UUID.init) }
    }

    private static func timer(_ node: SharingNode) -> FocusTimer {
        node.store.household.people[0].focus.timer
    }

    private static func history(_ node: SharingNode) throws -> [FocusSession] {
        try node.store.allFocusSessions(of: me)
    }

    @Test(
        "Only the machine on which it began ends it, once, whatever the other's clock says",
        arguments: [half, -half, 20, -20])
    func ends(ahead: TimeInterval) throws {
        let (_, a, b) = try Self.two(ahead: ahead)
        try Self.start(a, at: Self.ten)
        try b.hear()
        for minute in stride(from: 0.0, to: 1_500, by: 60) {
            try Self.settle(a, at: Self.ten + minute)
            try b.hear()
            try Self.settle(b, at: Self.ten + ahead + minute)
            try a.hear()
            for (node, lead) in [(a, 0), (b, ahead)] {
                #expect(Self.timer(node).remaining(at: Self.ten + lead + minute) == 1_500 - Int(minute))
            }
        }
        try Self.settle(b, at: Self.ten + ahead + 1_530)
        #expect(try Self.timer(b).isRunning && Self.history(b).isEmpty)
        try Self.settle(a, at: Self.ten + 1_531)
        try b.hear()
        #expect(!Self.timer(a).isRunning && !Self.timer(b).isRunning)
        #expect(try Self.history(a).map(\.durationSeconds) == [1_500])
        #expect(try Self.history(b) == Self.history(a))
    }

    @Test("Where its machine is silent, another ends it a minute after its end, and both have it once")
    func silent() throws {
        let (_, a, b) = try Self.two(ahead: Self.half)
        try Self.start(a, at: Self.ten)
        try b.hear()
        try Self.settle(b, at: Self.ten + Self.half + 1_559)
        #expect(Self.timer(b).isRunning)
        try Self.settle(b, at: Self.ten + Self.half + 1_560)
        #expect(try !Self.timer(b).isRunning && Self.history(b).map(\.completed) == [true])
        // The first one was cut off, and ends it by itself.
        try a.hear()
        try Self.settle(a, at: Self.ten + 1_600)
        try b.hear()
        #expect(try Self.history(a).count == 1 && Self.history(b) == Self.history(a))
    }

    @Test("Paused on one machine and resumed on another, it is counted there")
    func moved() throws {
        let (table, a, b) = try Self.two(ahead: Self.half)
        try Self.start(a, at: Self.ten)
        try b.hear()
        try b.store.change { _ = try $0.moveFocus(me, .pause, at: Self.ten + Self.half + 300) }
        try a.hear()
        #expect(Self.timer(a).isPaused && Self.timer(a).remaining(at: Self.ten) == 1_200)
        try b.store.change { _ = try $0.moveFocus(me, .resume, at: Self.ten + Self.half + 400) }
        try a.hear()
        #expect(Self.timer(a).remaining(at: Self.ten + 400) == 1_200)
        #expect(Self.timer(a).completion(at: Self.ten + 1_610) == nil)
        #expect(Self.timer(b).completion(at: Self.ten + Self.half + 1_600) != nil)
        // Both say the same of it, and what one machine changes besides does not touch it.
        let text = table.state.withLock { $0.texts["document/person/1"] }
        try a.store.change { $0.people[0].name = "Ada" }
        try b.hear()
        #expect(Self.timer(b).completion(at: Self.ten + Self.half + 1_600) != nil)
        let renamed = table.state.withLock { $0.texts["document/person/1"] }
        #expect(try renamed != text && timerText(renamed) == timerText(text))
    }

    private func timerText(_ text: String?) throws -> JSONValue? {
        try text.map { try JSONValue(json: $0) }?["focus"]?["timer"]
    }

    @Test("When it is known how clocks differ, the timer moves to where it is")
    func follows() throws {
        let (_, a, b) = try Self.two(ahead: 0)
        // What showed half an hour less began now, as far as anybody knows.
        b.leads.withLock { $0 = [:] }
        try Self.start(a, at: Self.ten - Self.half)
        try b.hear()
        #expect(Self.timer(b).remaining(at: Self.ten) == 1_500)
        b.leads.withLock { $0[0] = 1_800 - 60 }
        try b.store.followClocks()
        #expect(Self.timer(b).remaining(at: Self.ten) == 1_440)
        b.leads.withLock { $0[0] = Self.half }
        try b.store.followClocks()
        try b.store.followClocks()
        #expect(Self.timer(b).remaining(at: Self.ten) == 1_500)
        b.leads.withLock { $0[0] = Self.half + 1 }
        let before = b.store.revision
        try b.store.followClocks()
        #expect(b.store.revision == before, "a second is a network's delay")
    }

    @Test("What a cut off machine did to it joins the others' changes as one value")
    func joins() throws {
        let (table, a, b) = try Self.two(ahead: Self.half)
        try Self.start(a, at: Self.ten)
        try b.hear()
        table.state.withLock { $0.isThere = false }
        try b.store.change(keeping: .evenInMemory) {
            _ = try $0.moveFocus(me, .pause, at: Self.ten + Self.half + 60)
        }
        try Self.settle(a, at: Self.ten + 400)
        table.state.withLock { $0.isThere = true }
        try a.store.change { $0.people[0].name = "Ada" }
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        for node in [a, b] {
            #expect(Self.timer(node).isPaused && Self.timer(node).remaining(at: Self.ten) == 1_440)
            #expect(node.store.household.people[0].name == "Ada")
        }
    }
}
