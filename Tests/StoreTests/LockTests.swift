import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite struct LockTests {
    @Test func aSecondInstanceIsToldTheFirstsNumber() throws {
        let scratch = Scratch()
        let first = try scratch.open()
        let error = #expect(throws: StoreError.self) { try scratch.open() }
        #expect(error == .alreadyRunning(pid: getpid()))
        #expect(error?.description.contains("process \(getpid())") == true)
        #expect(throws: StoreError.alreadyRunning(pid: getpid())) {
            try HouseholdStore.restore(from: first.path, into: scratch.path, at: noon)
        }
        #expect(throws: StoreError.alreadyRunning(pid: getpid())) {
            try HouseholdStore.wipe(directory: scratch.path)
        }
        try first.change { $0.people[0].name = "Ada" }
    }

    @Test func theLockGoesWithTheStore() throws {
        let scratch = Scratch()
        for _ in 0..<3 { _ = try scratch.open() }
        #expect(scratch.names.contains("lock"))
    }

    @Test func readersNeedNoLockAndSeeEveryCommit() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        for name in ["Ada", "Grace"] {
            try store.change { $0.people[0].name = name }
            let reader = try HouseholdStore.readOnly(directory: scratch.path)
            #expect(reader.household == store.household)
            #expect(throws: StoreError.self) { try reader.change { $0.people[0].name = "Eve" } }
            #expect(reader.household.people[0].name == name)
        }
        #expect(store.household.people[0].name == "Grace")
    }

    @Test func readingWhereNothingIs() {
        let scratch = Scratch()
        #expect(throws: StoreError.notFound(path: scratch.database)) {
            try HouseholdStore.readOnly(directory: scratch.path)
        }
        #expect(scratch.names == [])
    }

    @Test func aDirectoryThatCannotBeMade() {
        let error = #expect(throws: StoreError.self) {
            try HouseholdStore(directory: "/proc/sleep-inducer/data", now: noon)
        }
        #expect(error?.description.contains("/proc") == true)
    }

    @Test func aFileWhereTheDirectoryShouldBe() throws {
        let scratch = Scratch()
        try Data("x".utf8).write(to: URL(fileURLWithPath: scratch.path))
        #expect(throws: StoreError.self) { try scratch.open() }
    }

    /// SQLite's own refusal simulates a file system that became read-only, for root too.
    @Test func whenTheDiskRefusesTheHouseholdStays() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].session = .example() }
        let before = store.household
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
        let error = #expect(throws: StoreError.self) { try store.change { $0.people[0].session = nil } }
        #expect(error == .readOnly(path: scratch.database))
        #expect(error?.description.contains("Blocking goes on as before.") == true)
        #expect(store.household == before)
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try store.change { $0.people[0].session = nil }
        #expect(store.household.people[0].session == nil)
    }

    /// SQLite's own page limit simulates a full disk.
    @Test func whenTheDiskIsFullTheHouseholdStays() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        let before = store.household
        try store.queue.inDatabase { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages)")
        }
        let error = #expect(throws: StoreError.self) {
            try store.change { $0.devices = (1...250).map { .example($0) } }
        }
        #expect(error == .diskFull)
        #expect(store.household == before)
        // A change that needs no room still goes through, and a session can end.
        try store.change { $0.people[0].name = "Ada" }
        #expect(store.household.people[0].name == "Ada")
    }
}
