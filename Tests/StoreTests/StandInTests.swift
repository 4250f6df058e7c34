import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// A server that starts on a full or read-only disk continues to block.
@Suite struct StandInTests {
    private func prepared(_ scratch: Scratch) throws -> Household {
        let store = try scratch.open()
        try store.setPasscodeHash(passcodeText)
        try store.change { $0.people[0].session = .example(minutes: 480, strictness: .strict) }
        return store.household
    }

    private func standIn(_ scratch: Scratch, after error: StoreError = .diskFull) throws -> OpenDatabase {
        try OpenDatabase(
            standingInFor: scratch.database, directory: scratch.path, after: error, log: .silent)
    }

    @Test func holdsEverythingThatIsStoredAndTakesNoChange() throws {
        let scratch = Scratch()
        let household = try prepared(scratch)
        let opened = try standIn(scratch)
        #expect(opened.household == household)
        #expect(opened.access.passcodeHash == passcodeText)
        #expect(opened.opening.rules == .unwritable)
        #expect(opened.opening.notice?.contains("Changes cannot be saved: the disk is full.") == true)
        let store = HouseholdStore(opened, directory: nil, lock: nil, log: .silent)
        for _ in 1...2 {
            #expect(throws: StoreError.self) { try store.change { $0.people[0].name = "Ada" } }
            // GRDB lets a connection write again after each of its reads.
            #expect(try store.usageHours(latest: 9_999, at: noon).isEmpty)
        }
        #expect(store.household == household)
        // The file is unchanged.
        #expect(try scratch.open().household == household)
    }

    /// If the write-ahead log cannot be read, the last known rules are newer than the file.
    @Test func readsAFileWithoutItsLog() throws {
        let scratch = Scratch()
        let copy = Scratch()
        _ = try prepared(scratch)
        let store = try scratch.open()
        try store.change { $0.people[0].name = "Ada" }
        store.flush()
        try makeDirectory(copy.path)
        for name in ["sleep-inducer.sqlite", "last-known.json"] {
            try FileManager.default.copyItem(
                atPath: scratch.path + "/" + name, toPath: copy.path + "/" + name)
        }
        // Nobody, not even root, can open a directory in place of the log.
        try makeDirectory(copy.database + "-wal")
        let opened = try standIn(copy)
        #expect(opened.household == store.household)
        #expect(opened.access.passcodeHash == passcodeText)
    }

    @Test func fallsBackToTheRulesLastKnown() throws {
        let scratch = Scratch()
        let household = try prepared(scratch)
        truncate(scratch.database, 5_000)
        let opened = try standIn(scratch, after: .readOnly(path: scratch.database))
        #expect(opened.household == household)
        #expect(opened.opening.reason == "the disk is read-only")
    }

    @Test func saysWhatIsWrongWhereNothingCanBeRead() throws {
        let scratch = Scratch()
        let expected = StoreError.cannotOpen(path: scratch.database, reason: "the disk is full")
        #expect(throws: expected) { try standIn(scratch) }
        #expect(expected.description.hasSuffix("sleep-inducer.sqlite cannot be opened: the disk is full."))
    }

    /// A directory in place of the first written file simulates a disk without room.
    @Test("When there is room again, the database is opened and takes what was held") func openedAnew() throws
    {
        let scratch = Scratch()
        let household = try prepared(scratch)
        let store = HouseholdStore(
            try standIn(scratch), directory: scratch.path, lock: nil, log: .silent)
        try makeDirectory(scratch.database + ".room.new")
        let login = try store.createLogin(at: noon)
        try store.change(keeping: .evenInMemory) { _ = try $0.emergencyReset(me, at: noon) }
        #expect(throws: StoreError.self) { try store.change { $0.people[0].name = "Ada" } }
        store.catchUp(at: noon)
        #expect(store.opening.rules == .unwritable)
        #expect(store.isBehind)
        #expect(try scratch.rows() == household)

        rmdir(scratch.database + ".room.new")
        store.catchUp(at: noon)
        #expect(store.opening.rules == .stored)
        #expect(!store.isBehind)
        #expect(store.passcodeHash == passcodeText)
        #expect(store.login(token: login.token, at: noon) != nil)
        try store.change { $0.people[0].name = "Ada" }
        #expect(try scratch.rows() == store.household)
        #expect(store.household.people[0].session == nil)
        #expect(throws: StoreError.self) { try scratch.open() }
        #expect(!scratch.names.contains { $0.contains("room") })
    }
}
