import Foundation
import GRDB
import GRDBSQLite
import Policy
import Testing

@testable import Store

@Suite struct BackupTests {
    static let day: TimeInterval = 86_400

    @Test func oneADayAndTheLastSeven() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        #expect(try store.backUpDaily(at: noon, isSynchronised: true))
        #expect(try !store.backUpDaily(at: noon.addingTimeInterval(3_600), isSynchronised: true))
        for day in 1...9 {
            try store.change { $0.people[0].name = "Day \(day)" }
            #expect(
                try store.backUpDaily(
                    at: noon.addingTimeInterval(Double(day) * Self.day), isSynchronised: true))
        }
        let backups = store.backups(at: noon.addingTimeInterval(9 * Self.day))
        let names = backups.map { ($0 as NSString).lastPathComponent }
        #expect(names == (24...30).reversed().map { "2026-11-\($0).sqlite" })
        for path in backups { try BackupFile.check(path, log: .silent) }
        let rights = try FileManager.default.attributesOfItem(atPath: backups[0])
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test("A backup reads everything, and keeps nothing of it in memory") func memory() throws {
        func held(_ store: HouseholdStore) throws -> Int32 {
            try store.queue.read { db in
                var (now, most): (Int32, Int32) = (0, 0)
                sqlite3_db_status(db.sqliteConnection, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
                return now
            }
        }
        let scratch = Scratch()
        let store = try scratch.open()
        try store.queue.write { try $0.execute(sql: "CREATE TABLE much AS SELECT zeroblob(500000)") }
        try store.backUpDaily(at: noon, isSynchronised: true)
        #expect(try held(store) < 100_000)
    }

    @Test("A clock that is ahead takes no good backup away, and what it leaves is none of the seven")
    func aClockThatIsAhead() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        let last = noon + 7 * Self.day
        for day in 1...7 { try store.backUpDaily(at: noon + Double(day) * Self.day, isSynchronised: true) }
        let good = store.backups(at: last)
        #expect(good.count == 7)
        #expect(try store.backUpDaily(at: last + 3650 * Self.day, isSynchronised: false))
        let stray = scratch.path + "/backups/2036-11-25.sqlite"
        #expect(fileSize(stray) != nil)
        #expect(store.backups(at: last) == good + [stray], "nothing is lost, and it comes last")
        #expect(HouseholdStore.latestBackup(in: scratch.path, at: last) == CivilDate("2026-11-28"))

        let next = last + Self.day
        #expect(try store.backUpDaily(at: next, isSynchronised: true))
        #expect(store.backups(at: next).count == 8)
        #expect(Backups(directory: scratch.path).daily(at: next).count == 7)
    }

    @Test("What a clock that was ahead left is recovered from only where nothing else is good")
    func strays() throws {
        for isAlone in [false, true] {
            let scratch = Scratch()
            try {
                let store = try scratch.open()
                if !isAlone { try store.backUpDaily(at: noon, isSynchronised: true) }
                try store.backUpDaily(at: noon + 3650 * Self.day, isSynchronised: true)
            }()
            unlink(scratch.database)
            let store = try scratch.open(at: noon + 60)
            let name = isAlone ? "2036-11-18" : "2026-11-21"
            #expect(store.opening.backup == scratch.path + "/backups/\(name).sqlite")
        }
    }

    @Test("Of what a clock that was ahead left, seven are kept")
    func manyStrays() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        for year in 1...9 {
            try store.backUpDaily(at: noon + Double(year) * 365 * Self.day, isSynchronised: false)
        }
        #expect(store.backups(at: noon).count == 9)
        try store.backUpDaily(at: noon, isSynchronised: true)
        #expect(store.backups(at: noon).count == 8)
    }

    @Test func aBackupHoldsWhatWasCommitted() throws {
        let scratch = Scratch()
        let file = scratch.path + "/somewhere/else/copy.sqlite"
        let store = try scratch.open()
        try store.change { household, log in
            household.people[0].session = .example()
            log.append(LogEntry(.sessionStarted, person: me, at: noon, detail: "1h"))
        }
        try store.setPasscodeHash(passcodeText)
        try store.backup(to: file)
        let household = store.household
        try store.change { $0.people[0].session = nil }
        try store.setPasscodeHash(otherPasscodeText)
        let login = try store.createLogin(at: noon).token

        let kept = try store.restore(from: file, at: noon)
        #expect(store.household == household)
        #expect(store.passcodeHash == passcodeText)
        #expect(store.login(token: login, at: noon) == nil)
        #expect(try store.log(of: me).map(\.detail) == ["1h"])
        // The replaced data is kept, and can be restored.
        try store.restore(from: kept, at: noon.addingTimeInterval(1))
        #expect(store.household.people[0].session == nil)
        #expect(store.passcodeHash == otherPasscodeText)
    }

    @Test("At the end the one file holds everything, for whoever copies it alone")
    func theOneFile() throws {
        let (scratch, copy) = (Scratch(), Scratch())
        let store = try scratch.open()
        try store.change { $0.people[0].name = "Ada" }
        store.settleFiles()
        try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            atPath: store.path, toPath: copy.path + "/" + HouseholdStore.fileName)
        #expect(
            try HouseholdStore.readOnly(directory: copy.path, log: .silent).household.people[0].name == "Ada")
        try store.change { $0.people[0].name = "Grace" }
        #expect(store.household.people[0].name == "Grace", "it still writes")
    }

    @Test func afterARestoreTheStoreIsAsDurableAsBefore() async throws {
        let scratch = Scratch()
        let file = scratch.path + "/copy.sqlite"
        var store: HouseholdStore? = try scratch.open()
        try store!.backup(to: file)
        try store!.change { $0.people[0].name = "Ada" }
        var changes = store!.changes().makeAsyncIterator()
        _ = await changes.next()
        try store!.restore(from: file, at: noon)
        #expect(await changes.next()?.people[0].name == "Me")
        try store!.change { $0.people[0].name = "Grace" }
        let (mode, level) = try store!.queue.inDatabase { db in
            (
                try String.fetchOne(db, sql: "PRAGMA journal_mode"),
                try Int.fetchOne(db, sql: "PRAGMA synchronous")
            )
        }
        #expect(mode == "wal" && level == 2)
        store!.flush()
        store = nil
        #expect(try scratch.open().household.people[0].name == "Grace")
        #expect(LastKnown.read(directory: scratch.path)?.people[0].name == "Grace")
    }

    @Test func restoringWithNoServerRunning() throws {
        let here = Scratch()
        let there = Scratch()
        let file = here.path + "/copy.sqlite"
        try {
            let store = try here.open()
            try store.change { $0.people[0].name = "Ada" }
            try store.backup(to: file)
        }()
        #expect(try HouseholdStore.restore(from: file, into: there.path, at: noon) == nil)
        #expect(try there.open().household.people[0].name == "Ada")
        try { _ = try there.open().change { $0.people[0].name = "Grace" } }()
        let kept = try #require(try HouseholdStore.restore(from: file, into: there.path, at: noon))
        try BackupFile.check(kept, log: .silent)
        #expect(try there.open().household.people[0].name == "Ada")
    }

    @Test(arguments: ["missing", "directory", "empty", "text", "foreign", "newer", "damaged", "truncated"])
    func refusesFilesThatAreNoGood(kind: String) throws {
        let scratch = Scratch()
        let file = scratch.path + "/candidate.sqlite"
        let store = try scratch.open()
        try store.change { $0.people[0].session = .example(strictness: .strict) }
        try store.backup(to: file)
        switch kind {
        case "missing": unlink(file)
        case "directory":
            unlink(file)
            try makeDirectory(file)
        case "empty": truncate(file, 0)
        case "text": try Data("Dear diary".utf8).write(to: URL(fileURLWithPath: file))
        case "foreign": try alter(file, "PRAGMA application_id = 1")
        case "newer": try alter(file, "INSERT INTO grdb_migrations VALUES ('999 from the future')")
        case "damaged": try DamageTests.Damage.overwrittenPages.happen(to: file)
        default: truncate(file, 8192)
        }
        store.flush()
        let before = (store.household, scratch.names)
        let error = #expect(throws: StoreError.self) { try store.restore(from: file, at: noon) }
        #expect(error?.description.contains("candidate.sqlite") == true)
        #expect(throws: StoreError.self) {
            try HouseholdStore.restore(from: file, into: scratch.path + "/other", at: noon)
        }
        #expect(before == (store.household, scratch.names))
        try store.change { $0.people[0].name = "Ada" }
    }

    private func alter(_ file: String, _ sql: String) throws {
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
        try queue.close()
    }

    @Test func aBackupThatCannotBeWrittenLeavesNothing() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try makeDirectory(scratch.path + "/taken.sqlite/x")
        #expect(throws: StoreError.self) { try store.backup(to: scratch.path + "/taken.sqlite") }
        #expect(throws: StoreError.self) { try store.backup(to: "/proc/copy.sqlite") }
        #expect(!scratch.names.contains("taken.sqlite.new"))
        try store.change { $0.people[0].name = "Ada" }
    }

    @Test func wipingLeavesNothingOfTheHousehold() throws {
        let scratch = Scratch()
        let stranger = scratch.path + "/notes.txt"
        try {
            let store = try scratch.open()
            try store.change { $0.people[0].name = "Ada Lovelace" }
            try store.backUpDaily(at: noon, isSynchronised: true)
            try store.backup(to: store.path + ".before-restore-x")
        }()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: stranger))
        try makeDirectory(scratch.path + "/tls")
        for file in ["ca.pem", "own.pem", "own.pem.new"] {
            try Data("a key".utf8).write(to: URL(fileURLWithPath: scratch.path + "/tls/" + file))
        }
        try HouseholdStore.wipe(directory: scratch.path)
        #expect(scratch.names == ["lock", "notes.txt"])
        let store = try scratch.open()
        #expect(store.opening.rules == .new)
        #expect(store.household.people[0].name == "Me")
    }

    @Test func wipingWhereNothingIs() throws {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        #expect(throws: StoreError.notFound(path: scratch.database)) {
            try HouseholdStore.wipe(directory: scratch.path)
        }
    }
}
