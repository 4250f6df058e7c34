import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// "Emergency reset and help remain", "a full disk stops neither blocking nor the end of a session" (design.md).
@Suite struct HeldTests {
    private let later = noon.addingTimeInterval(60)

    /// A store with a strict session and an enrolled device.
    private func prepared(_ scratch: Scratch) throws -> HouseholdStore {
        let store = try scratch.open()
        try store.change { household in
            household.people[0].session = .example(minutes: 480, strictness: .strict)
            household.devices = [.example(1, person: me)]
        }
        return store
    }

    private func reset(_ store: HouseholdStore) throws {
        try store.change(keeping: .evenInMemory) { household, log in
            log.append(LogEntry(try household.emergencyReset(me, at: later)))
        }
    }

    @Test("SI-088: a reset holds on a full disk, and is written when there is room") func resetIsHeld() throws
    {
        let scratch = Scratch()
        let messages = Messages()
        let store = try HouseholdStore(directory: scratch.path, now: noon, log: .collecting(messages))
        try store.change { $0.people[0].session = .example(minutes: 480, strictness: .strict) }
        try store.refuseWrites()
        try reset(store)
        try store.change(keeping: .evenInMemory) { $0.offersHelp = false }
        #expect(store.household.people[0].session == nil)
        #expect(store.isBehind)
        #expect(store.diskNotice?.hasPrefix("The disk is read-only. Blocking goes on.") == true)
        store.catchUp(at: later)
        #expect(store.isBehind)
        #expect(messages.all.filter { $0.contains("Blocking goes on.") }.count == 1, "said once")
        #expect(try scratch.rows().people[0].session != nil)

        try store.takeWrites()
        store.catchUp(at: later)
        #expect(!store.isBehind)
        #expect(store.diskNotice == nil)
        #expect(try scratch.rows() == store.household)
        #expect(try store.pastSessions(of: me).map(\.outcome) == [.reset])
        #expect(try store.log(of: me).map(\.kind) == [.sessionReset])
        store.catchUp(at: later)
        #expect(try store.log(of: me).count == 1, "written once")
    }

    @Test("SI-088: a reset and a login wait for no other program that holds the database")
    func resetBesideAnotherWriter() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        var leavesOpen = Configuration()
        leavesOpen.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: scratch.database, configuration: leavesOpen)
        try other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        let begun = ContinuousClock.now
        try reset(store)
        let login = try store.createLogin(at: later)
        #expect(ContinuousClock.now - begun < .seconds(4), "it would be ten")
        #expect(store.household.people[0].session == nil && store.isBehind)
        #expect(store.login(token: login.token, at: later) != nil)
        #expect(store.diskNotice?.hasPrefix("Another program is using the database.") == true)
        #expect(throws: StoreError.busy) { try store.change { $0.offersHelp = false } }
        #expect(ContinuousClock.now - begun < .seconds(4), "nor does anything else, once it is known")

        try other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        store.catchUp(at: later)
        #expect(!store.isBehind && store.diskNotice == nil)
        #expect(try scratch.rows() == store.household)
    }

    /// Rules are in other tables than logins.
    @Test("A login made on a full disk is written with whatever is written next") func loginIsOwed() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        try store.refuseWrites()
        let login = try store.createLogin(at: noon)
        #expect(store.isBehind)
        try store.takeWrites()
        try store.change { $0.people[0].name = "Ada" }
        #expect(!store.isBehind && store.diskNotice == nil)
        let rows = try OpenDatabase(reading: scratch.database, log: .silent).access.logins
        #expect(rows.values.map(\.csrf) == [login.csrf])
    }

    @Test func whoeverLooksHearsOfIt() async throws {
        let store = try prepared(Scratch())
        var changes = store.changes().makeAsyncIterator()
        #expect(await changes.next()?.people[0].session != nil)
        try store.refuseWrites()
        try reset(store)
        #expect(await changes.next()?.people[0].session == nil)
    }

    @Test func aRuleIsRefusedAndTheNextOneWritesWhatWasHeld() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        try store.refuseWrites()
        try reset(store)
        #expect(throws: StoreError.readOnly(path: scratch.database)) {
            try store.change { $0.people[0].name = "Ada" }
        }
        #expect(store.household.people[0].name == "Me")
        #expect(store.household.people[0].session == nil, "what is held outlives what is refused")
        try store.takeWrites()
        try store.change { $0.people[0].name = "Ada" }
        #expect(!store.isBehind)
        #expect(try scratch.rows() == store.household)
        #expect(try store.log(of: me).map(\.kind) == [.sessionReset])
    }

    @Test("Another program wrote, and a rule was refused: what is held is written all the same")
    func isWrittenAfterAnotherProgramWrote() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        try store.refuseWrites()
        try reset(store)
        try store.takeWrites()
        try DatabaseQueue(path: scratch.database).write { db in
            try db.execute(sql: "INSERT OR REPLACE INTO meta VALUES ('elsewhere', '1')")
        }
        #expect(throws: Refusal.noSession) {
            try store.change { _ in throw Refusal.noSession }
        }
        #expect(store.isBehind)
        store.catchUp(at: later)
        #expect(!store.isBehind)
        #expect(try scratch.rows().people[0].session == nil)
        #expect(try scratch.rows() == store.household)
    }

    @Test func aPersonWhoIsRemovedTakesWhatIsHeldAlong() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        try store.change { $0.people.append(Person(id: PersonID(rawValue: 2), name: "Ada")) }
        try store.refuseWrites()
        try reset(store)
        try store.takeWrites()
        try store.change { household in household.people.removeFirst() }
        #expect(try scratch.rows() == store.household)
    }

    @Test func whatARuleRefusesIsNotHeld() throws {
        let store = try prepared(Scratch())
        try store.refuseWrites()
        let before = store.household
        #expect(throws: Refusal.noSession) {
            try store.change(keeping: .evenInMemory) { household in
                household.people[0].session = nil
                _ = try household.emergencyReset(me, at: later)
            }
        }
        #expect(throws: StoreError.unknownTimeZone("Nope")) {
            try store.change(keeping: .evenInMemory) { $0.timeZone = "Nope" }
        }
        #expect(store.household == before)
    }

    @Test("A full disk, as SQLite says it") func pagesRunOut() throws {
        let scratch = Scratch()
        let store = try prepared(scratch)
        try store.queue.inDatabase { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        try store.change(keeping: .evenInMemory) { $0.devices = (1...250).map { .example($0) } }
        #expect(store.household.devices.count == 250)
        #expect(store.diskNotice?.hasPrefix("The disk is full.") == true)
        // A small write would find room, but what waits is written first.
        #expect(throws: StoreError.self) { try store.setLastInstant(later) }
        #expect(store.isBehind && store.diskNotice != nil)
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA max_page_count = 100000") }
        store.catchUp(at: later)
        #expect(!store.isBehind)
        #expect(try scratch.rows().devices.count == 250)
    }

    @Test("Logins come and go in memory while the disk refuses them") func logins() throws {
        let scratch = Scratch()
        var store: HouseholdStore? = try scratch.open()
        let stored = try store!.createLogin(at: noon)
        try store!.refuseWrites()
        let held = try store!.createLogin(at: later)
        #expect(store!.login(token: held.token, at: later)?.csrf == held.csrf)
        try store!.endLogin(token: stored.token)
        #expect(store!.login(token: stored.token, at: later) == nil)
        #expect(throws: StoreError.self) { try store!.setPasscodeHash("new") }
        #expect(store!.loginCount == 1)
        try store!.takeWrites()
        store!.catchUp(at: later)
        store = nil
        store = try scratch.open()
        #expect(store!.login(token: held.token, at: later)?.csrf == held.csrf)
        #expect(store!.login(token: stored.token, at: later) == nil)
    }
}

extension HouseholdStore {
    /// Makes the disk read-only.
    func refuseWrites() throws { try queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = ON") } }
    func takeWrites() throws { try queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = OFF") } }
}

extension Scratch {
    /// The household in its rows, as another process would read it.
    func rows() throws -> Household { try HouseholdStore.readOnly(directory: path, log: .silent).household }
}
