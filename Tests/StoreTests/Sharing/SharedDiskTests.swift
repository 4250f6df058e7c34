import Foundation
import GRDB
import Policy
import Synchronization
import Testing

@testable import Store

/// A disk that refuses what the nodes agree on, and what its rows say afterwards.
struct SharedDiskTests {
    private let table = SharedTableOfNodes()

    private func rename(_ node: SharingNode, _ name: String) throws {
        try node.store.change { household, log in
            household.people[0].name = name
            log.append(LogEntry(.ruleChanged, person: me, at: Date(milliseconds: 7), detail: name))
        }
    }

    /// The disk takes the change's rows, and nothing more after the others agreed.
    private func refuseAfterAgreement(_ node: SharingNode) {
        node.beforeProposing.withLock {
            $0 = {
                #expect(throws: Never.self) {
                    try node.store.queue.unsafeReentrantWrite {
                        try $0.execute(sql: "PRAGMA query_only = ON")
                    }
                }
            }
        }
    }

    private func takeWrites(_ node: SharingNode) throws {
        node.beforeProposing.withLock { $0 = nil }
        try node.store.takeWrites()
        node.store.catchUp(at: noon)
    }

    @Test("A change on which the others agreed holds, is answered so, and is written later")
    func holds() throws {
        let scratch = Scratch()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1, try scratch.open()))
        refuseAfterAgreement(b)
        try rename(b, "Agreed")
        #expect(b.store.household.people[0].name == "Agreed" && b.store.isBehind && !b.store.isUntold)
        #expect(b.store.diskNotice != nil)
        try a.hear()
        #expect(a.store.household.people[0].name == "Agreed")
        try b.hear()
        try takeWrites(b)
        #expect(!b.store.isBehind && b.store.diskNotice == nil)
        try expectRows(of: b, in: scratch)
        #expect(try b.store.log(of: me).map(\.detail) == ["Agreed"])
        // The next one is refused by the disk, and nobody was asked.
        try b.store.refuseWrites()
        let head = table.whole.head
        #expect(throws: StoreError.readOnly(path: scratch.database)) { try rename(b, "Refused") }
        #expect(table.whole.head == head && b.store.household.people[0].name == "Agreed")
    }

    @Test("So does a passcode, and a token")
    func holdsForAccess() throws {
        let scratch = Scratch()
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1, try scratch.open()))
        refuseAfterAgreement(b)
        try b.store.setPasscodeHash(passcodeText)
        try b.store.takeWrites()
        let token = try b.store.createToken(name: "scripts", at: Date(milliseconds: 5))
        for node in [a, b] {
            try node.hear()
            #expect(node.store.passcodeHash == passcodeText && node.store.token(matching: token) != nil)
        }
        try takeWrites(b)
        let rows = try OpenDatabase(reading: scratch.database, log: .silent).access
        #expect(rows.passcodeHash == passcodeText && rows.tokens.count == 1)
        try expectRows(of: b, in: scratch)
    }

    @Test("What was heard on a full disk is written with what it was heard as: a later change is not undone")
    func isOneState() throws {
        let (scratch, copy) = (Scratch(), Scratch())
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1, try scratch.open()))
        try rename(a, "Narrow")
        try b.hear()
        try b.store.refuseWrites()
        try rename(a, "Wide")
        try b.hear()
        try takeWrites(b)
        try expectRows(of: b, in: scratch)
        b.store.settleFiles()
        try FileManager.default.copyItem(atPath: scratch.path, toPath: copy.path)
        try rename(a, "Narrow")
        // It starts before the others can be asked, and meets a phone.
        let again = try SharingNode(table, 1, try copy.open(), hears: false)
        table.state.withLock { $0.isThere = false }
        let id = try again.store.newDeviceID()
        try again.store.change(keeping: .evenInMemory) {
            $0.devices.append(
                Device(id: id, name: "Phone", addresses: [], firstSeen: noon, lastSeen: noon))
        }
        table.state.withLock { $0.isThere = true }
        try again.hear()
        try again.store.tellOthers()
        try a.hear()
        for node in [a, again] {
            #expect(node.store.household.people[0].name == "Narrow")
            #expect(node.store.household.devices.map(\.id) == [id])
        }
    }

    @Test("What holds on a full disk while the others are silent is told after a restart too")
    func isTold() throws {
        let (scratch, copy) = (Scratch(), Scratch())
        let (a, b) = (try SharingNode(table, 0), try SharingNode(table, 1, try scratch.open()))
        table.state.withLock { $0.isThere = false }
        try b.store.refuseWrites()
        let login = try b.store.createLogin(at: noon)
        // Something else is written first.
        try b.store.takeWrites()
        try b.store.setLastInstant(noon)
        #expect(!b.store.isBehind && b.store.isUntold)
        b.store.settleFiles()
        try FileManager.default.copyItem(atPath: scratch.path, toPath: copy.path)
        table.state.withLock { $0.isThere = true }
        let again = try SharingNode(table, 1, try copy.open())
        try again.store.tellOthers()
        try a.hear()
        #expect(a.store.login(token: login.token, at: noon) != nil)
    }

    /// The documents, the texts and the head in the rows are those in memory.
    private func expectRows(of node: SharingNode, in scratch: Scratch) throws {
        #expect(try scratch.rows() == node.store.household)
        let rows = try node.store.read { try SharedTable.load($0, agreement: node, node: 1) }
        let agreed = try #require(node.store.agreed)
        #expect(rows.head == agreed.head && rows.texts == agreed.texts && rows.head == table.whole.head)
    }
}
