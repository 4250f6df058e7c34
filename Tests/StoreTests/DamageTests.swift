import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// "A damaged database is set aside, the last good backup is offered, and blocking goes on from the
/// configuration last known" (design.md, Trust).
@Suite struct DamageTests {
    enum Damage: String, CaseIterable {
        case zeroLength, truncated, overwrittenHeader, overwrittenPages, noise, missing, emptied

        func happen(to path: String) throws {
            for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
            let size = try #require(fileSize(path))
            switch self {
            case .zeroLength: truncate(path, 0)
            case .truncated: truncate(path, off_t(size / 2))
            case .overwrittenHeader: try overwrite(path, at: 0, count: 100)
            case .overwrittenPages: try overwrite(path, at: 4096, count: size - 4096)
            case .noise: try overwrite(path, at: 0, count: size)
            case .missing: unlink(path)
            case .emptied:
                let queue = try DatabaseQueue(path: path)
                try queue.write { try $0.execute(sql: "DELETE FROM document") }
                try queue.close()
            }
        }

        private func overwrite(_ path: String, at offset: Int, count: Int) throws {
            let file = try #require(FileHandle(forUpdatingAtPath: path))
            try file.seek(toOffset: UInt64(offset))
            try file.write(contentsOf: Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 13) }))
            try file.close()
        }
    }

    private func prepare(_ scratch: Scratch, backup: Bool) throws -> Household {
        let store = try scratch.open()
        try store.setPasscodeHash(passcodeText)
        _ = try store.createLogin(at: noon)
        _ = try store.createToken(name: "old", at: noon)
        if backup { try store.backUpDaily(at: noon, isSynchronised: true) }
        try store.change { household in
            household.timeZone = "Europe/Berlin"
            household.people[0].session = .example(minutes: 480, strictness: .strict)
            household.devices = [.example(1, person: me)]
        }
        return store.household
    }

    @Test(arguments: Damage.allCases) func goesOnFromTheRulesLastKnown(damage: Damage) throws {
        let scratch = Scratch()
        let household = try prepare(scratch, backup: false)
        try damage.happen(to: scratch.database)
        let store = try scratch.open(at: noon.addingTimeInterval(5))
        #expect(store.household == household)
        #expect(store.opening.rules == .lastKnown)
        #expect(store.opening.backup == nil)
        #expect(!store.isSetUp)
        let aside = scratch.database + ".damaged-20261121T120005Z"
        #expect(store.opening.setAside == (damage == .missing ? nil : aside))
        #expect(FileManager.default.fileExists(atPath: aside) == (damage != .missing))
        #expect(store.opening.notice?.contains("Blocking goes on with the last known rules.") == true)
        try store.change { $0.people[0].name = "Ada" }
    }

    @Test(arguments: Damage.allCases) func takesPasscodeAndHistoryFromTheLastGoodBackup(damage: Damage) throws
    {
        let scratch = Scratch()
        let household = try prepare(scratch, backup: true)
        try damage.happen(to: scratch.database)
        let store = try scratch.open()
        #expect(store.household == household)
        #expect(store.opening.rules == .lastKnown)
        #expect(store.opening.backup == scratch.path + "/backups/2026-11-21.sqlite")
        #expect(store.passcodeHash == passcodeText)
        #expect(store.loginCount == 0)
        #expect(store.tokens.isEmpty)
    }

    @Test func aDamagedBackupIsPassedOver() throws {
        let scratch = Scratch()
        let household = try prepare(scratch, backup: true)
        _ = try {
            try scratch.open().backUpDaily(at: noon.addingTimeInterval(86_400), isSynchronised: true)
        }()
        try Damage.overwrittenPages.happen(to: scratch.path + "/backups/2026-11-22.sqlite")
        try Damage.noise.happen(to: scratch.database)
        let store = try scratch.open()
        #expect(store.opening.backup == scratch.path + "/backups/2026-11-21.sqlite")
        #expect(store.household == household)
    }

    @Test func withoutRulesLastKnownTheBackupsHold() throws {
        let scratch = Scratch()
        _ = try prepare(scratch, backup: false)
        let household = try {
            let store = try scratch.open()
            try store.backUpDaily(at: noon, isSynchronised: true)
            return store.household
        }()
        unlink(scratch.path + "/last-known.json")
        try Damage.noise.happen(to: scratch.database)
        let store = try scratch.open()
        #expect(store.opening.rules == .backup)
        #expect(store.household == household)
        #expect(store.passcodeHash == passcodeText)
    }

    @Test func aFileThatIsGoneIsMissedAlsoWithABackupOnly() throws {
        let scratch = Scratch()
        _ = try prepare(scratch, backup: true)
        try Damage.missing.happen(to: scratch.database)
        unlink(scratch.path + "/last-known.json")
        let store = try scratch.open()
        #expect(store.opening.rules == .backup)
        #expect(store.opening.reason == "it is missing")
        #expect(store.passcodeHash == passcodeText)
    }

    @Test func withNothingLeftItSaysSo() throws {
        let scratch = Scratch()
        _ = try prepare(scratch, backup: false)
        try Data("{\"people\":".utf8).write(to: URL(fileURLWithPath: scratch.path + "/last-known.json"))
        try Damage.truncated.happen(to: scratch.database)
        let store = try scratch.open()
        #expect(store.opening.rules == .lost)
        #expect(store.opening.notice?.contains("Nothing is blocked until you set them again.") == true)
        #expect(store.household.people.map(\.name) == ["Me"])
    }

    @Test func readingOnlyRepairsNothing() throws {
        let scratch = Scratch()
        _ = try prepare(scratch, backup: true)
        try Damage.noise.happen(to: scratch.database)
        let before = scratch.names
        #expect(throws: StoreError.self) { try HouseholdStore.readOnly(directory: scratch.path) }
        #expect(scratch.names == before)
        #expect(LastKnown.read(directory: scratch.path)?.people[0].session != nil)
    }

    @Test(arguments: [
        ("CREATE TABLE t (a)", "is not a Sleep Inducer database"),
        ("PRAGMA application_id = 7; CREATE TABLE t (a)", "is not a Sleep Inducer database"),
    ]) func anotherProgramsFileIsLeftAlone(sql: String, words: String) throws {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        try scratch.execute(sql)
        let error = #expect(throws: StoreError.self) { try scratch.open() }
        #expect(error?.description.contains(words) == true)
        #expect(scratch.names.filter { $0.contains("damaged") } == [])
    }

    @Test func aNewerVersionsFileIsLeftAlone() throws {
        let scratch = Scratch()
        _ = try scratch.open()
        try scratch.execute("INSERT INTO grdb_migrations VALUES ('999 from the future')")
        #expect(throws: StoreError.newer(path: scratch.database)) { try scratch.open() }
        #expect(throws: StoreError.newer(path: scratch.database)) {
            try HouseholdStore.readOnly(directory: scratch.path)
        }
        #expect(scratch.names.filter { $0.contains("damaged") } == [])
    }

    @Test func aTornWriteAheadLogLosesOnlyWhatWasNotWhole() throws {
        let scratch = Scratch()
        let copy = Scratch()
        let store = try scratch.open()
        try store.change { $0.people[0].name = "Ada" }
        try makeDirectory(copy.path)
        // A power cut leaves the log's last frame half written.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: scratch.database + suffix, toPath: copy.database + suffix)
        }
        let size = try #require(fileSize(copy.database + "-wal"))
        truncate(copy.database + "-wal", off_t(size - 2000))
        let reopened = try copy.open()
        #expect(reopened.opening.rules == .stored)
        #expect(reopened.household.people[0].name == "Me")
    }

    @Test("Damage in any table of rules is found at the start, and nothing but minutes is left for later")
    func damagedRules() throws {
        let scratch = Scratch()
        _ = try prepare(scratch, backup: true)
        let tables = try DatabaseQueue(path: scratch.database).read { db in
            try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
        }
        #expect(UsageRecord.tables.isSubset(of: tables))
        try overwritePage(of: "document", in: scratch)
        #expect(try scratch.open().opening.rules == .lastKnown)
    }

    private func overwritePage(of table: String, in scratch: Scratch) throws {
        let root = try DatabaseQueue(path: scratch.database).writeWithoutTransaction { db in
            try db.checkpoint(.truncate)
            return try #require(
                try Int.fetchOne(
                    db, sql: "SELECT rootpage FROM sqlite_schema WHERE name = ?", arguments: [table]))
        }
        let file = try #require(FileHandle(forUpdatingAtPath: scratch.database))
        try file.seek(toOffset: UInt64(root - 1) * 4096)
        try file.write(contentsOf: Data(repeating: 0x5a, count: 4096))
        try file.close()
    }

    /// A start reads only the rules: usage is a hundred times as large, and no block depends on it.
    @Test("Damage in usage delays no start, takes no good backup's place, and is mended at the next start")
    func damagedUsage() throws {
        let scratch = Scratch()
        let household = try prepare(scratch, backup: true)
        try overwritePage(of: "usage_hour", in: scratch)
        let tomorrow = noon.addingTimeInterval(86_400)
        do {
            let store = try scratch.open()
            #expect(store.opening.rules == .stored)
            let backups = store.backups(at: tomorrow)
            #expect(throws: StoreError.self) { try store.backUpDaily(at: tomorrow, isSynchronised: true) }
            #expect(store.backups(at: tomorrow) == backups)
        }
        let store = try scratch.open(at: tomorrow)
        #expect(store.opening.rules == .lastKnown)
        #expect(store.opening.backup != nil)
        #expect(store.household == household)
        #expect(try store.backUpDaily(at: tomorrow, isSynchronised: true))
    }
}
