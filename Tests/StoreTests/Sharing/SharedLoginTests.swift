import Foundation
import Policy
import Synchronization
import Testing

@testable import Store

/// Logins of a household on several machines: no browser is signed out because machines or disks fail.
struct SharedLoginTests {
    @Test
    func aLoginStaysWhereNewsWaitForItsProposal() async throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        try a.store.change { $0.people[0].name = "There" }
        let news = table.whole
        table.state.withLock { $0.isThere = false }
        let (heard, hearing) = AsyncStream.makeStream(of: Void.self)
        b.beforeProposing.withLock {
            $0 = {
                Thread.detachNewThread {
                    #expect(throws: Never.self) { try b.store.hear(news) }
                    hearing.finish()
                }
                // Real time: nothing says that the news wait in line.
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
        let login = try b.store.createLogin(at: Date(milliseconds: 5))
        for await _ in heard {}
        #expect(b.store.household.people[0].name == "There")
        #expect(b.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
        #expect(b.store.isUntold)
        b.beforeProposing.withLock { $0 = nil }
        table.state.withLock { $0.isThere = true }
        try b.store.tellOthers()
        try a.hear()
        #expect(a.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
    }

    @Test
    func aLoginThatTheDiskRefusedStaysAndTheOthersAreTold() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        try b.store.refuseWrites()
        let login = try b.store.createLogin(at: Date(milliseconds: 5))
        try b.hear()
        #expect(b.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
        try b.store.takeWrites()
        b.store.catchUp(at: noon)
        try b.store.tellOthers()
        try a.hear()
        #expect(!b.store.isUntold && !b.store.isBehind)
        #expect(a.store.login(token: login.token, at: Date(milliseconds: 6)) != nil)
    }

    @Test
    func theDayOnWhichALoginWasUsedIsShared() throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        let token = try a.store.createLogin(at: start).token
        try b.hear()
        let head = table.state.withLock { $0.head.number }
        for hour in 1...3 { #expect(b.store.login(token: token, at: start + Double(hour) * 3_700) != nil) }
        #expect(table.state.withLock { $0.head.number } == head, "at most once a day")
        // Used on one node only, for more than a year.
        for day in 1...13 {
            #expect(b.store.login(token: token, at: start + Double(day) * 30 * 86_400) != nil)
        }
        try a.hear()
        #expect(a.store.login(token: token, at: start + 400 * 86_400) != nil)
        #expect(b.store.login(token: token, at: start + 400 * 86_400) != nil)
    }

    @Test
    func loginsOfTwoMachinesAtOnceStay() async throws {
        let table = SharedTableOfNodes()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1))
        await withTaskGroup { group in
            for node in [a, b] {
                group.addTask {
                    for number in 0..<100 {
                        #expect(throws: Never.self) {
                            _ = try node.store.createLogin(at: Date(milliseconds: Int64(number)))
                        }
                    }
                }
                group.addTask { for _ in 0..<300 { try? node.hear() } }
            }
        }
        // Where a machine heard nothing for half a second, a login held there alone, and is told now.
        for node in [a, b, a] {
            try node.hear()
            try node.store.tellOthers()
        }
        for node in [a, b] {
            try node.hear()
            #expect(node.store.loginCount == 200)
        }
    }
}
