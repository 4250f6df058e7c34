import Foundation
import Policy
import Synchronization
import Testing

@testable import Store

/// Lines of the log on a machine whose disk refuses them: each machine has each line once in the end.
struct SharedLinesTests {
    private let table = SharedTableOfNodes()

    private static func reset(_ node: SharingNode, _ words: String) throws {
        try node.store.change(keeping: .evenInMemory) { household, log in
            log.append(
                LogEntry(
                    .sessionReset, person: household.people[0].id, at: Date(milliseconds: 7), detail: words))
        }
    }

    private static func lines(_ node: SharingNode) throws -> [String] {
        try node.store.log(of: node.store.household.people[0].id).map(\.detail).sorted()
    }

    @Test
    func aLineThatTheDiskRefusedWhileTheOthersWereSilentReachesThem() throws {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        table.state.withLock { $0.isThere = false }
        try b.store.refuseWrites()
        try Self.reset(b, "Held")
        // The disk has room again before the others can be told.
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        #expect(try Self.lines(b) == ["Held"])
        table.state.withLock { $0.isThere = true }
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        #expect(try Self.lines(a) == ["Held"] && Self.lines(b) == ["Held"])
    }

    @Test
    func aLineThatTheOthersHaveAndTheDiskRefusedIsThereOnce() throws {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        try b.store.refuseWrites()
        try Self.reset(b, "Held")
        // It hears its own change, which it could not note, and so does everything that it hears anew.
        for _ in 0..<3 { try b.hear() }
        try a.hear()
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        #expect(try Self.lines(a) == ["Held"] && Self.lines(b) == ["Held"])
        #expect(!b.store.isUntold && !b.store.isBehind)
    }

    @Test
    func whatTwoPressesWithinAMillisecondSayIsOneLineOnAllMachines() throws {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        for _ in 0..<2 {
            try Self.reset(b, "Pressed")
            try a.hear()
        }
        #expect(try Self.lines(a) == ["Pressed"] && Self.lines(b) == ["Pressed"])
    }

    @Test
    func aFocusSessionOfAnotherMachineOutlivesAFullDisk() throws {
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        func finish(_ node: SharingNode, after minutes: Int) throws {
            let session = FocusSession(
                id: UUID(), start: noon, end: noon + Double(minutes) * 60, durationSeconds: minutes * 60,
                presetLabel: nil, completed: true)
            try node.store.change(keeping: .evenInMemory) { $0.people[0].focus.finished.append(session) }
        }
        func ends(_ node: SharingNode) throws -> [Date] {
            try node.store.focusSessions(of: me, from: noon - 1, to: noon + 1).map(\.end).sorted()
        }
        try b.store.refuseWrites()
        try finish(b, after: 10)
        try finish(a, after: 20)
        try b.hear()
        #expect(try ends(b) == [noon + 600, noon + 1200])
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        try b.hear()
        try b.store.tellOthers()
        try a.hear()
        #expect(try ends(a) == ends(b) && ends(b).count == 2)
        #expect(b.store.household.people[0].focus.finished.isEmpty)
    }
}
