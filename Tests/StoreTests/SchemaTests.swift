import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite struct SchemaTests {
    @Test(arguments: [
        "INSERT INTO person VALUES (-1)",
        "INSERT INTO device VALUES (1, 'yesterday')",
        "INSERT INTO document VALUES ('wish', 1, '{}', zeroblob(32))",
        "INSERT INTO document VALUES ('person', 0, '{}', zeroblob(32))",
        "INSERT INTO document VALUES ('person', 9, '{', zeroblob(32))",
        "INSERT INTO document VALUES ('person', 9, '{}', zeroblob(31))",
        "INSERT INTO event (kind, instant, detail, hand) VALUES ('helpUsed', 0, '', 'somebody')",
        "INSERT INTO event (kind, instant, detail, subject) VALUES ('helpUsed', 0, '', '')",
        "INSERT INTO focus_session VALUES (9, printf('%036d', 1), 0, 5, 5, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, 'x', 0, 5, 5, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, printf('%036d', 1), 6, 5, 5, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, printf('%036d', 1), 0, 5, 86401, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, printf('%036d', 1), 0, 5, 5, '25m', 2)",
        "INSERT INTO outbound_credential VALUES (1, x'00')",
        "INSERT INTO verified_upload VALUES (1, 1, '2026-02-30', 0, 's', 'UTC', 0, 0)",
        "INSERT INTO verified_upload VALUES (1, 1, '2026-11-20', 1501, 's', 'UTC', 0, 0)",
        "INSERT INTO verified_upload VALUES (1, 1, '2026-11-20', 0, '', 'UTC', 0, 0)",
        "INSERT INTO verified_upload VALUES (9, 1, '2026-11-20', 0, 's', 'UTC', 0, 0)",
        "INSERT INTO verified_connection VALUES (1, 1, 2, 'UTC', 0)",
        "INSERT INTO verified_selection VALUES (1, 1, 'letter', '', 0, 0, 0)",
        "INSERT INTO verified_selection VALUES (1, 1, 'upload', '', 0, 10001, 0)",
        "INSERT INTO webhook VALUES ('x', NULL, 'http://a', '[\"a\"]', 0, zeroblob(78), NULL, NULL, NULL, 'json')",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 9, 'http://a', '[\"a\"]', 0, zeroblob(78), NULL, NULL, NULL, 'json')",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, '', '[\"a\"]', 0, zeroblob(78), NULL, NULL, NULL, 'json')",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[]', 0, zeroblob(78), NULL, NULL, NULL, 'json')",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[\"a\"]', 0, x'00', NULL, NULL, NULL, 'json')",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[\"a\"]', 0, zeroblob(78), 5, NULL, NULL, 'json')",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[\"a\"]', 0, zeroblob(78), 5, 200, 'x', 'json')",
        "INSERT INTO webhook_letter VALUES (1, printf('%036d', 1), printf('%036d', 1), 'a', '{}', 0, 0)",
        "INSERT INTO answer_link VALUES (x'00', printf('%036d', 1), 0)",
        "INSERT INTO answer_link VALUES (zeroblob(32), 'x', 0)",
        "INSERT INTO login VALUES (x'00', 'short', 0, 0)",
        "INSERT INTO access VALUES (2, NULL, NULL, zeroblob(32), NULL)",
    ]) func refusesNonsense(sql: String) throws {
        let store = try Scratch().open()
        let error = #expect(throws: DatabaseError.self) {
            try store.queue.write { try $0.execute(sql: sql) }
        }
        #expect(
            [ResultCode.SQLITE_CONSTRAINT, .SQLITE_ERROR].contains(error?.resultCode)
                && error?.message?.contains("no such") != true, "\(error.map(String.init(describing:)) ?? "")"
        )
    }

    /// One of our rows at a time, so that each refusal is tested.
    @Test func refusesHouseholdsThatNoRowCanHold() throws {
        let store = try Scratch().open()
        let before = store.household
        func refused(_ body: (inout Household) -> Void) -> StoreError? {
            #expect(throws: StoreError.self) { try store.change(body) }
        }
        #expect(refused { $0.timeZone = "Nope/Zone" } == .unknownTimeZone("Nope/Zone"))
        #expect(refused { $0.people = [] } != nil)
        #expect(refused { $0.people.append($0.people[0]) } != nil)
        #expect(refused { $0.people[0].name = "" } != nil)
        #expect(refused { $0.devices = [.example(1), .example(1)] } != nil)
        #expect(
            refused { household in
                household.people[0].antiRot.windows = [LayersTests.lunch]
                household.people[0].antiRot.windows?[0].days = []
            } != nil)
        #expect(
            refused { household in
                household.devices = [.example(1), .example(2)]
                household.devices[1].addresses = household.devices[0].addresses
            } != nil)
        #expect(
            refused { household in
                household.people.append(Person(id: PersonID(rawValue: 2), name: "Ada"))
                let session = SleepSession.example()
                household.people[0].session = session
                household.people[1].session = session
            } != nil)
        #expect(store.household == before)
    }

    @Test func isDurableAndStrict() throws {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.queue.read { db in
            func pragma(_ name: String) throws -> String? {
                try Row.fetchOne(db, sql: "PRAGMA \(name)").map { "\($0[0] as DatabaseValue)" }
            }
            #expect(try pragma("journal_mode") == "\"wal\"")
            #expect(try pragma("synchronous") == "2")
            #expect(try pragma("foreign_keys") == "1")
            #expect(try pragma("mmap_size") == "0")
            let loose = try String.fetchAll(
                db,
                sql: """
                    SELECT name FROM pragma_table_list WHERE schema = 'main' AND strict = 0
                    AND type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                    """)
            #expect(loose == [])
        }
        for name in scratch.names where name.hasPrefix("sleep-inducer") {
            let rights = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + name)
            #expect(rights[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}
