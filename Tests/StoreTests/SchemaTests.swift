import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite struct SchemaTests {
    @Test(arguments: [
        "INSERT INTO person VALUES (9, '', 'adult', 'strict', NULL)",
        "INSERT INTO person VALUES (9, 'A', 'ghost', 'strict', NULL)",
        "INSERT INTO person VALUES (9, 'A', 'adult', 'lenient', NULL)",
        "INSERT INTO person VALUES (9, 'A', 'adult', 'strict', '2026-02-30')",
        "INSERT INTO person VALUES (-1, 'A', 'adult', 'strict', NULL)",
        "INSERT INTO household VALUES (2, 'UTC', NULL, 1, '[]')",
        "UPDATE household SET offers_help = 2",
        "UPDATE household SET new_devices_belong_to = 99",
        "UPDATE household SET unreachable = '{'",
        "INSERT INTO device VALUES (1, 'A', 'toaster', NULL, NULL, 0, 0, NULL, 1)",
        "INSERT INTO device VALUES (1, 'A', 'phone', 99, NULL, 0, 0, NULL, 1)",
        "INSERT INTO device VALUES (1, 'A', 'phone', 1, 'AA:BB:CC:DD:EE:FF', 0, 0, NULL, 1)",
        "INSERT INTO device VALUES (1, 'A', 'phone', 1, NULL, 'yesterday', 0, NULL, 1)",
        "INSERT INTO device VALUES (1, 'A', 'phone', 1, NULL, 0, 0, NULL, 2)",
        "INSERT INTO device_address VALUES ('10.0.0.1', 99, 0)",
        "INSERT INTO selection VALUES (1, 'favourite', '[]', '[]', '[]')",
        "INSERT INTO selection VALUES (1, 'allowed', 'all', '[]', '[]')",
        "INSERT INTO recurring_schedule VALUES (1, 1, '25:61', '07:00', 'strict', '[\"mon\"]')",
        "INSERT INTO recurring_schedule VALUES (1, 1, '7:00', '22:00', 'strict', '[\"mon\"]')",
        "INSERT INTO recurring_schedule VALUES (1, 1, '07:00', '07:00', 'strict', '[\"mon\"]')",
        "INSERT INTO recurring_schedule VALUES (1, 1, '22:00', '07:00', 'strict', '[]')",
        "INSERT INTO schedule_exception VALUES (1, 0, '[\"mon\"]', '22:00', '07:00')",
        "INSERT INTO tonight_change VALUES (1, 'tonight', 'skip', 0)",
        "INSERT INTO tonight_change VALUES (1, '2026-11-21', 'later', -30)",
        "INSERT INTO window_schedule VALUES (99)",
        "INSERT INTO time_window VALUES (1, 0, printf('%036d', 1), '', '12:00', '13:00', '[\"mon\"]')",
        "INSERT INTO override_state VALUES (1, NULL, NULL)",
        "INSERT INTO override_state VALUES (1, 'today', NULL)",
        "INSERT INTO limit_settings VALUES (1, 24, NULL, NULL, NULL, 0)",
        "INSERT INTO limit_settings VALUES (1, 0, -1, NULL, NULL, 0)",
        "INSERT INTO limit_settings VALUES (1, 0, NULL, '2026-11-21', NULL, 0)",
        "INSERT INTO limit_settings VALUES (1, 0, NULL, NULL, NULL, 7)",
        "INSERT INTO usage_limit VALUES (1, 0, 'monitor_' || printf('%036d', 1), 'app', 'a', 0, '{}', NULL)",
        "INSERT INTO usage_limit VALUES (1, 0, 'monitor_' || printf('%036d', 1), 'app', 'a', 1441, '{}', NULL)",
        "INSERT INTO usage_limit VALUES (1, 0, 'monitor_' || printf('%036d', 1), 'app', 'a', 1, '[]', NULL)",
        "INSERT INTO usage_limit VALUES (1, 0, 'monitor_' || printf('%036d', 1), 'app', 'a', 1, '{}', 10081)",
        "INSERT INTO usage_limit VALUES (1, 0, 'monitor_' || printf('%036d', 1), 'category', 'a', 1, '{}', NULL)",
        "INSERT INTO usage_limit VALUES (1, 0, 'monitor_' || printf('%036d', 1), 'app', '', 1, '{}', NULL)",
        "INSERT INTO probation VALUES (1, 0, 'probation_1', 'category', 'games', 0)",
        "INSERT INTO probation VALUES (1, 0, 'p', 'app', 'tiktok', 0)",
        "INSERT INTO probation VALUES (99, 0, 'probation_1', 'app', 'tiktok', 0)",
        "INSERT INTO reached_limit VALUES (1, 0, 'app', 'tiktok', 'today', 0, 0, 0)",
        "INSERT INTO reached_limit VALUES (1, 0, 'app', 'tiktok', '2026-11-21', -1, 0, 0)",
        "INSERT INTO extra_time VALUES (1, 0, 'app', 'tiktok', '2026-11-21', 0)",
        "INSERT INTO time_request VALUES (1, 0, printf('%036d', 1), 'app', 'a', NULL, 0, 'open', 5)",
        "INSERT INTO time_request VALUES (1, 0, printf('%036d', 1), 'app', 'a', NULL, 0, 'granted', NULL)",
        "INSERT INTO time_request VALUES (1, 0, printf('%036d', 1), 'app', 'a', 99, 0, 'open', NULL)",
        "INSERT INTO wish VALUES (1, 0, printf('%036d', 1), 'moon', 'a', NULL, NULL, 0, 'open', NULL)",
        "INSERT INTO wish VALUES (1, 0, printf('%036d', 1), 'app', NULL, NULL, NULL, 0, 'open', NULL)",
        "INSERT INTO wish VALUES (1, 0, printf('%036d', 1), 'later', 'a', NULL, NULL, 0, 'open', NULL)",
        "INSERT INTO wish VALUES (1, 0, printf('%036d', 1), 'skip', NULL, 'tonight', NULL, 0, 'open', NULL)",
        "INSERT INTO wish VALUES (1, 0, printf('%036d', 1), 'app', 'a', NULL, NULL, 0, 'granted', NULL)",
        "INSERT INTO wish VALUES (1, 0, printf('%036d', 1), 'app', 'a', NULL, 99, 0, 'open', NULL)",
        "INSERT INTO event (kind, instant, detail, hand) VALUES ('helpUsed', 0, '', 'somebody')",
        "INSERT INTO event (kind, instant, detail, subject) VALUES ('helpUsed', 0, '', '')",
        "INSERT INTO pending_change VALUES (1, 0, printf('%036d', 1), 0, '{}')",
        "INSERT INTO pending_change VALUES (1, 0, printf('%036d', 1), 0, 'soon')",
        "INSERT INTO focus VALUES (1, 'away', 60, 60, NULL, NULL, NULL, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'idle', 60, 61, NULL, NULL, NULL, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'idle', 60, NULL, NULL, NULL, NULL, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'idle', 60, 60, printf('%036d', 1), NULL, NULL, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'idle', 60, 60, NULL, NULL, NULL, NULL, NULL, 0, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'running', 60, NULL, printf('%036d', 1), 0, 0, 0, 0, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'running', 60, NULL, printf('%036d', 1), 0, 0, 60001, 0, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'running', 60, NULL, printf('%036d', 1), 5, 0, 60000, 0, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'running', 60, 60, printf('%036d', 1), 0, 0, 60000, 0, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'paused', 60, 0, printf('%036d', 1), 0, 0, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus VALUES (1, 'paused', 60, 9, printf('%036d', 1), 0, NULL, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus VALUES (9, 'idle', 60, 60, NULL, NULL, NULL, NULL, NULL, 25, 0, '', '')",
        "INSERT INTO focus_session VALUES (9, printf('%036d', 1), 0, 5, 5, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, 'x', 0, 5, 5, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, printf('%036d', 1), 6, 5, 5, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, printf('%036d', 1), 0, 5, 86401, '25m', 1)",
        "INSERT INTO focus_session VALUES (1, printf('%036d', 1), 0, 5, 5, '25m', 2)",
        "INSERT INTO verification VALUES (1, '', NULL, NULL, NULL, NULL)",
        "INSERT INTO verification VALUES (1, NULL, NULL, NULL, '[]', NULL)",
        "INSERT INTO verification VALUES (9, NULL, NULL, NULL, NULL, NULL)",
        "INSERT INTO shared_default VALUES (1, 'group.com.other', 'dd_ext_invoked_ts', '1')",
        "INSERT INTO shared_default VALUES (1, 'group.com.disciplinedungeon.shared', 'dd.other', '1')",
        "INSERT INTO shared_default VALUES (1, 'group.com.disciplinedungeon.shared', 'dd_ext_invoked_ts', 'x')",
        "INSERT INTO outbound_credential VALUES (1, x'00')",
        "INSERT INTO verified_upload VALUES (1, 1, '2026-02-30', 0, 's', 'UTC', 0, 0)",
        "INSERT INTO verified_upload VALUES (1, 1, '2026-11-20', 1501, 's', 'UTC', 0, 0)",
        "INSERT INTO verified_upload VALUES (1, 1, '2026-11-20', 0, '', 'UTC', 0, 0)",
        "INSERT INTO verified_upload VALUES (9, 1, '2026-11-20', 0, 's', 'UTC', 0, 0)",
        "INSERT INTO verified_connection VALUES (1, 1, 2, 'UTC', 0)",
        "INSERT INTO verified_selection VALUES (1, 1, 'letter', '', 0, 0, 0)",
        "INSERT INTO verified_selection VALUES (1, 1, 'upload', '', 0, 10001, 0)",
        "INSERT INTO webhook VALUES ('x', NULL, 'http://a', '[\"a\"]', 0, zeroblob(78), NULL, NULL, NULL)",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 9, 'http://a', '[\"a\"]', 0, zeroblob(78), NULL, NULL, NULL)",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, '', '[\"a\"]', 0, zeroblob(78), NULL, NULL, NULL)",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[]', 0, zeroblob(78), NULL, NULL, NULL)",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[\"a\"]', 0, x'00', NULL, NULL, NULL)",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[\"a\"]', 0, zeroblob(78), 5, NULL, NULL)",
        "INSERT INTO webhook VALUES (printf('%036d', 1), 1, 'http://a', '[\"a\"]', 0, zeroblob(78), 5, 200, 'x')",
        "INSERT INTO webhook_letter VALUES (1, printf('%036d', 1), printf('%036d', 1), 'a', '{}', 0, 0)",
        "INSERT INTO event (kind, instant, detail) VALUES ('unheard', 0, '')",
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

    @Test(arguments: [
        ("x", "{}", 0, 1, "{}"), ("00000000-0000-0000-0000-000000000000", "manual", 0, 1, "{}"),
        ("00000000-0000-0000-0000-000000000000", "{}", 5, 5, "{}"),
        ("00000000-0000-0000-0000-000000000000", "{}", 0, 1, "[]"),
    ]) func refusesSessionsThatAreNone(id: String, mode: String, start: Int, end: Int, allowed: String) throws
    {
        let store = try Scratch().open()
        #expect(throws: DatabaseError.self) {
            try store.queue.write {
                try $0.execute(
                    sql: "INSERT INTO sleep_session VALUES (1, ?, ?, 'strict', ?, ?, 1, NULL, ?, NULL)",
                    arguments: [id, mode, start, end, allowed])
            }
        }
    }

    /// One row of ours at a time, so that what refuses it is said.
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
            #expect(
                try String.fetchOne(db, sql: "SELECT value FROM meta WHERE key = 'namespace'")
                    == "group.com.sleepinducer.shared")
        }
        for name in scratch.names where name.hasPrefix("sleep-inducer") {
            let rights = try FileManager.default.attributesOfItem(atPath: scratch.path + "/" + name)
            #expect(rights[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }
}
