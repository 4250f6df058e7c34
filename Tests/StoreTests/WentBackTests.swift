import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// SQLite reads a damaged write-ahead log as an older database; the copy of the rules beside it shows that.
@Suite("A database that went back to an older state opens no session, and it is said")
struct WentBackTests {
    private static let log = "sleep-inducer.sqlite-wal"

    /// The files of a directory as a crash leaves them, with a strict session that was promised last.
    private func crashed() throws -> (files: [String: Data], household: Household) {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.setPasscodeHash(passcodeText)
        _ = try store.createToken(name: "old", at: noon)
        try store.change { $0.devices = [.example(1, person: me)] }
        store.shortenLog()
        for minute in 1...20 { try store.setLastInstant(noon + Double(minute)) }
        try store.change { $0.people[0].session = .example(minutes: 480, strictness: .strict) }
        var files: [String: Data] = [:]
        for name in scratch.names where name != "lock" {
            files[name] = FileManager.default.contents(atPath: scratch.path + "/" + name)
        }
        return (files, store.household)
    }

    private func put(_ files: [String: Data], in scratch: Scratch) throws {
        try makeDirectory(scratch.path)
        for (name, data) in files { try data.write(to: URL(fileURLWithPath: scratch.path + "/" + name)) }
    }

    /// Opens the files with a damaged log; returns whether it was noticed.
    private func open(_ files: [String: Data], log: Data, expecting household: Household) throws -> Bool {
        let scratch = Scratch()
        var files = files
        files[Self.log] = log
        try put(files, in: scratch)
        let messages = Messages()
        let store = try HouseholdStore(directory: scratch.path, now: noon + 60, log: .collecting(messages))
        #expect(store.household == household)
        let isSaid = !store.opening.damage.isEmpty
        #expect(messages.all.contains { $0.contains("was older than the copy") } == isSaid)
        #expect((store.damage(at: noon + 60) != nil) == isSaid)
        #expect(store.isSetUp && store.tokens.isEmpty == isSaid)
        return isSaid
    }

    @Test("One bit anywhere in the last hundred kilobytes of the log") func bits() throws {
        let (files, household) = try crashed()
        let whole = try #require(files[Self.log])
        #expect(try !open(files, log: whole, expecting: household))
        var noticed = 0
        var numbers = Seeded(state: 19)
        for trial in 0..<120 {
            var log = whole
            let offset =
                log.count - 1 - (trial < 40 ? trial * 103 : Int.random(in: 0..<log.count, using: &numbers))
            log[offset] ^= 1 << UInt8.random(in: 0..<8, using: &numbers)
            if try open(files, log: log, expecting: household) { noticed += 1 }
        }
        #expect(noticed >= 100, "\(noticed)")
    }

    @Test("A tail that was cut, and a log that is gone") func tails() throws {
        let (files, household) = try crashed()
        let whole = try #require(files[Self.log])
        for cut in [1, 23, 24, 4096, 4120, 4121, whole.count - 32, whole.count] {
            #expect(try open(files, log: whole.dropLast(cut), expecting: household), "\(cut)")
        }
    }

    @Test("A session that only the older rows hold goes on too, if it is stricter") func onlyInTheRows()
        throws
    {
        let scratch = Scratch()
        let (files, household) = try crashed()
        try put(files, in: scratch)
        var known = household
        known.people[0].session = nil
        known.people[0].name = "Ada"
        try LastKnown.write(.init(household: known, revision: 1_000), directory: scratch.path)
        let store = try scratch.open(at: noon + 60)
        #expect(store.household.people[0].session == household.people[0].session)
        #expect(store.household.people[0].name == "Ada")
        #expect(store.damage(at: noon + 60) != nil)
        try store.change { _ = try $0.emergencyReset(me, at: noon + 60) }
        store.flush()
        #expect(LastKnown.record(scratch.path)?.revision == 1_001)
    }

    @Test("A copy that is older, or of an earlier version, or unreadable, changes no rule") func olderCopy()
        throws
    {
        for isReadable in [true, false] {
            let scratch = Scratch()
            let (files, household) = try crashed()
            try put(files, in: scratch)
            if isReadable {
                try LastKnown.write(
                    .init(household: .new(timeZone: "UTC"), revision: 0), directory: scratch.path)
            } else {
                try Data("{\"revision\":999,".utf8).write(
                    to: URL(fileURLWithPath: LastKnown.path(scratch.path)))
            }
            let store = try scratch.open(at: noon + 60)
            #expect(store.household == household && (store.damage(at: noon + 60) == nil) == isReadable)
            store.flush()
            #expect(LastKnown.read(directory: scratch.path) == household)
        }
    }

    @Test("A change that was acknowledged stands in the copy already") func acknowledged() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        for minutes in [30, 60, 120] {
            try store.change { $0.people[0].session = .example(minutes: minutes, strictness: .strict) }
            #expect(LastKnown.read(directory: scratch.path) == store.household)
        }
    }

    @Test("What is held stands in no row: it is no sign of damage") func held() throws {
        let scratch = Scratch()
        try {
            let store = try scratch.open()
            try store.change { $0.people[0].session = .example(strictness: .strict) }
            try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
            try store.change(keeping: .evenInMemory) { _ = try $0.emergencyReset(me, at: noon) }
            #expect(store.household[person: me]?.session == nil)
        }()
        let store = try scratch.open()
        #expect(store.household[person: me]?.session != nil, "what was stored last holds")
        #expect(store.damage(at: noon) == nil)
    }

    @Test("The log is shortened after a change of the rules, and not for what was only seen") func short()
        throws
    {
        let scratch = Scratch()
        let store = try scratch.open()
        store.shortenLog()
        func size() -> Int? { fileSize(scratch.database + "-wal") }
        try store.setLastInstant(noon)
        store.shortenLog()
        #expect(size() ?? 0 > 0)
        try store.change { $0.people[0].session = .example(strictness: .strict) }
        store.shortenLog()
        #expect(size() == 0)
    }

    @Test("Rows that refuse what a rule made shut no way out") func refusingRows() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].session = .example(strictness: .strict) }
        try scratch.execute(
            "CREATE TRIGGER t BEFORE DELETE ON document BEGIN SELECT RAISE(ABORT, 'no'); END")
        #expect(throws: StoreError.self) { try store.change { _ = try $0.emergencyReset(me, at: noon) } }
        try store.change(keeping: .evenInMemory) { _ = try $0.emergencyReset(me, at: noon) }
        #expect(store.household[person: me]?.session == nil)
        #expect(store.diskNotice != nil && store.isBehind)
    }

    @Test("A copy that cannot be read is said, and written anew", arguments: ["", "\0\0\0", "{\"people\":"])
    func unreadableCopy(text: String) throws {
        let (found, household) = try crashed()
        var files = found
        files["last-known.json"] = Data(text.utf8)
        let scratch = Scratch()
        try put(files, in: scratch)
        let store = try HouseholdStore(directory: scratch.path, now: noon + 60)
        #expect(store.household == household)
        #expect(store.damage(at: noon + 60)?.contains("copy of the rules") == true)
        store.flush()
        #expect(LastKnown.read(directory: scratch.path) == household)
    }
}
