import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite("A restore takes a backup's values, and nothing that acts or lets somebody in")
struct CraftedBackupTests {
    /// A backup that is recognised by a name, changed by SQL.
    private func crafted(_ scratch: Scratch, _ sql: String) throws -> String {
        let file = scratch.path + "/crafted.sqlite"
        let store = try scratch.open()
        try store.setPasscodeHash(passcodeText)
        _ = try store.createToken(name: "of the backup", at: noon)
        _ = try store.createLogin(at: noon)
        try store.change { household, log in
            household.people[0].name = "Ada"
            household.people[0].session = .example(strictness: .strict)
            log.append(LogEntry(.sessionStarted, person: me, at: noon, detail: "1h"))
        }
        try store.backup(to: file)
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
            try db.execute(sql: sql)
        }
        try queue.close()
        return file
    }

    private func objects(_ store: HouseholdStore) throws -> [String] {
        try store.queue.read {
            try String.fetchAll($0, sql: "SELECT type || ' ' || name FROM sqlite_schema ORDER BY 1")
        }
    }

    @Test("Triggers, views, indexes, further tables, tokens, logins and a code for set-up stay behind")
    func objects() throws {
        let (scratch, other) = (Scratch(), Scratch())
        let file = try crafted(
            scratch,
            """
            UPDATE access SET setup_code_hash = zeroblob(32);
            CREATE TRIGGER back AFTER INSERT ON event BEGIN
                INSERT INTO api_token (name, token_hash, created_at) VALUES ('attacker', x'\(String(repeating: "07", count: 32))', 0);
            END;
            CREATE TRIGGER meddle AFTER UPDATE ON access BEGIN DELETE FROM document; END;
            CREATE VIEW v AS SELECT * FROM person; CREATE INDEX i ON event (detail); CREATE TABLE t (a);
            INSERT INTO event (kind, instant, detail) VALUES ('helpUsed', 0, 'x');
            INSERT INTO api_token (name, token_hash, created_at) VALUES ('a', zeroblob(32), 0)
            """)
        let store = try other.open()
        let ours = try objects(store)
        let own = try store.createToken(name: "own", at: noon)
        try store.restore(from: file, at: noon)
        #expect(try objects(store) == ours)
        #expect(store.tokens.isEmpty && store.loginCount == 0 && store.token(matching: own) == nil)
        #expect(store.household.people[0].name == "Ada" && store.household[person: me]?.session != nil)
        #expect(store.passcodeHash == passcodeText)
        #expect(try store.log(of: me).map(\.detail).contains("1h"))
        try store.append(LogEntry(.helpUsed, person: me, at: noon, detail: "later"))
        try store.setLastInstant(noon)
        #expect(try store.queue.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM api_token") } == 0)
        #expect(store.household[person: me]?.session != nil)
    }

    @Test(
        "What is no table of ours is refused",
        arguments: [
            "ALTER TABLE document RENAME TO s; CREATE VIEW document AS SELECT * FROM s",
            "DROP TABLE document",
            "ALTER TABLE event DROP COLUMN detail",
            "UPDATE access SET secret = zeroblob(5)",
            "UPDATE access SET passcode_hash = 'hash'",
            "UPDATE access SET passcode_hash = replace(passcode_hash, '$32768$8$', '$1048576$16$')",
            "UPDATE access SET passcode_hash = replace(passcode_hash, '$32768$', '$2$')",
            "UPDATE event SET person = 99",
            "DELETE FROM document WHERE kind = 'house'",
            "UPDATE document SET json = json_set(json, '$.name', '') WHERE kind = 'person'",
        ])
    func refused(sql: String) throws {
        let (scratch, other) = (Scratch(), Scratch())
        let changed = try crafted(scratch, sql)
        let store = try other.open()
        try store.change { $0.people[0].name = "Grace" }
        #expect(throws: StoreError.self) { try store.restore(from: changed, at: noon) }
        #expect(store.household.people[0].name == "Grace")
        #expect(other.names.filter { $0.contains("restoring") }.isEmpty)
    }

    /// An error stands for what could as well take hours or gigabytes: where it is computed, the restore fails.
    private static let overflow = "abs(id * 0 - 9223372036854775807 - 1)"

    @Test(
        "What a file would compute is not computed: it is built anew, and then checked",
        arguments: [
            "CREATE INDEX i ON event (abs(id))", "CREATE INDEX i ON event (kind) WHERE abs(id) > 0",
            "ALTER TABLE event ADD COLUMN x INTEGER AS (abs(id))",
            "UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ', CHECK (abs(id) > 0)) STRICT') WHERE name = 'event'",
        ])
    func computed(sql: String) throws {
        let (scratch, other) = (Scratch(), Scratch())
        let file = try crafted(scratch, "PRAGMA writable_schema = ON; \(sql)")
        let queue = try DatabaseQueue(path: file)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    PRAGMA writable_schema = ON;
                    UPDATE sqlite_schema SET sql = replace(sql, 'abs(id)', '\(Self.overflow)')
                    """)
            #expect(db.totalChangesCount > 0)
        }
        try queue.close()
        let store = try other.open()
        try store.restore(from: file, at: noon)
        #expect(store.household.people[0].name == "Ada" && store.household[person: me]?.session != nil)
        #expect(try store.log(of: me).map(\.detail).contains("1h"))
    }

    @Test("A damaged index of a backup of ours is found, as any damage is") func damagedIndex() throws {
        let (scratch, other) = (Scratch(), Scratch())
        let file = try crafted(
            scratch,
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'person')
            WHERE type = 'index' AND sql IS NOT NULL
            """)
        #expect(throws: StoreError.self) { try other.open().restore(from: file, at: noon) }
    }

    @Test("A damaged row of a backup is read as one, and blocks") func damagedRow() throws {
        let (scratch, other) = (Scratch(), Scratch())
        let file = try crafted(
            scratch, "UPDATE document SET json = json_set(json, '$.strictness', 'x') WHERE kind = 'session'")
        let words = "session of Ada was damaged"
        try {
            let store = try other.open()
            try store.restore(from: file, at: noon)
            #expect(store.household[person: me]?.session?.strictness == .strict)
            #expect(store.damage(at: noon)?.contains(words) == true)
        }()
        #expect(try other.open().damage(at: noon)?.contains(words) == true)
    }

    @Test("What is there already is newer than a restore: the copy beside it does not win over it")
    func revision() throws {
        let (scratch, other) = (Scratch(), Scratch())
        let file = try crafted(scratch, "SELECT 1")
        try {
            let store = try other.open()
            for count in 1...20 { try store.change { $0.people[0].name = "Name \(count)" } }
            try store.restore(from: file, at: noon)
            store.flush()
            #expect(LastKnown.read(directory: other.path)?.people[0].name == "Ada")
        }()
        let store = try other.open()
        #expect(store.household.people[0].name == "Ada" && store.damage(at: noon) == nil)
    }

    @Test("Nor does the recovery from damage bring more along than values") func recovery() throws {
        let scratch = Scratch()
        let file = try crafted(
            scratch, "CREATE TRIGGER meddle AFTER UPDATE ON access BEGIN DELETE FROM document; END")
        try makeDirectory(scratch.path + "/backups")
        try FileManager.default.moveItem(atPath: file, toPath: scratch.path + "/backups/2026-11-21.sqlite")
        try DamageTests.Damage.noise.happen(to: scratch.database)
        let store = try scratch.open()
        #expect(store.opening.backup != nil && store.passcodeHash == passcodeText)
        #expect(try !objects(store).contains("trigger meddle"))
    }
}
