import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// A household as each released version of the schema stored it, in SQL, and what it must read as today.
@Suite struct MigrationTests {
    static let fixtures = [
        """
        INSERT INTO person VALUES (1, 'Me', 'adult', 'strict', '2026-11-20'), (4, 'Ada', 'child', 'flexible', NULL);
        INSERT INTO household VALUES (1, 'Europe/Berlin', 4, 0, '["android"]');
        INSERT INTO device VALUES (7, 'Phone', 'phone', 4, '02:00:00:00:00:07', 1000, 2500, NULL);
        INSERT INTO device_address VALUES ('10.0.0.7', 7, 1), ('fd00::7', 7, 0);
        INSERT INTO own_app VALUES ('own-1', 0, 'Mine', 'own', '["a.example"]', '[]', '[]', '[]');
        INSERT INTO selection VALUES (1, 'allowed', '["maps"]', '["health"]', '["example.org"]');
        INSERT INTO recurring_schedule VALUES (1, 1, '22:30', '06:45', 'strict', '["mon","fri"]');
        INSERT INTO schedule_exception VALUES (1, 0, '["fri"]', '23:30', '08:00');
        INSERT INTO tonight_change VALUES (1, '2026-11-21', 'later', 60);
        INSERT INTO sleep_session VALUES (4, '6F9619FF-8B86-D011-B42D-00C04FC964FF',
            '{"manual":{"durationMinutes":60}}', 'strict', 1795262400000, 1795266000000, 1, NULL,
            '{"apps":["phone"],"categories":[],"domains":[]}', NULL);
        INSERT INTO past_session VALUES ('7F9619FF-8B86-D011-B42D-00C04FC964FF', 4,
            '{"recurring":{"endHour":7,"endMinute":0,"startHour":22,"startMinute":0}}', 'flexible', 0, 1000,
            '1970-01-01', 'ended', 1000);
        INSERT INTO event (kind, person, device, instant, detail) VALUES ('helpUsed', 4, 7, 5000, 'x');
        INSERT INTO access VALUES (1, 'hash', NULL, zeroblob(32), 1795262400000);
        INSERT INTO login VALUES (zeroblob(32), 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 0, 0);
        INSERT INTO api_token VALUES (3, 'token', zeroblob(32), 0);
        """
    ]

    /// What version 1 was when it was released; a difference here means that homes would differ too.
    static let digests = [
        "001 foundation": "979840c6a981c49d"
    ]

    static let expected = Household(
        timeZone: "Europe/Berlin", newDevicesBelongTo: PersonID(rawValue: 4), offersHelp: false,
        unreachable: ["android"],
        ownApps: [App(id: "own-1", name: "Mine", category: "own", suffixes: ["a.example"])],
        people: [
            Person(
                id: me, name: "Me", defaultStrictness: .strict,
                allowed: AppSelection(apps: ["maps"], categories: ["health"], domains: ["example.org"]),
                schedule: RecurringSchedule(
                    isEnabled: true, start: TimeOfDay(hour: 22, minute: 30),
                    end: TimeOfDay(hour: 6, minute: 45), strictness: .strict, days: [.mon, .fri],
                    exceptions: [
                        ScheduleException(
                            days: [.fri], start: TimeOfDay(hour: 23, minute: 30),
                            end: TimeOfDay(hour: 8, minute: 0))
                    ]),
                tonight: TonightChange(
                    night: CivilDate(year: 2026, month: 11, day: 21), kind: .later, minutes: 60),
                nightDone: CivilDate(year: 2026, month: 11, day: 20)),
            Person(
                id: PersonID(rawValue: 4), name: "Ada", role: .child,
                session: SleepSession(
                    id: UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")!,
                    mode: .manual(durationMinutes: 60), strictness: .strict, startedAt: noon,
                    endsAt: noon.addingTimeInterval(3_600), allowed: AppSelection(apps: ["phone"]))),
        ],
        devices: [
            Device(
                id: DeviceID(rawValue: 7), name: "Phone", kind: .phone, person: PersonID(rawValue: 4),
                addresses: ["fd00::7", "10.0.0.7"], hardwareAddress: "02:00:00:00:00:07",
                firstSeen: Date(timeIntervalSince1970: 1), lastSeen: Date(timeIntervalSince1970: 2.5))
        ])

    @Test func everyVersionHasAFixtureAndIsNeverEdited() {
        #expect(Self.fixtures.count == Migrations.all.count)
        let digests = Dictionary(uniqueKeysWithValues: Migrations.all.map { ($0.name, hex(sha256($0.sql))) })
        #expect(digests == Self.digests)
    }

    private func hex(_ data: Data) -> String { data.prefix(8).map { String($0, radix: 16) }.joined() }

    @Test(arguments: Array(1...Migrations.all.count)) func aHouseholdOfEveryVersionLivesOn(version: Int)
        throws
    {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        let applied = Migrations.all.prefix(version)
        try scratch.execute(
            """
            PRAGMA application_id = \(Migrations.applicationID);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            """)
        for migration in applied {
            try scratch.execute(migration.sql)
            try scratch.execute("INSERT INTO grdb_migrations VALUES ('\(migration.name)')")
        }
        try scratch.execute(Self.fixtures[version - 1])

        let store = try scratch.open()
        #expect(store.opening.rules == .stored)
        #expect(store.household == Self.expected)
        #expect(store.passcodeHash == "hash")
        #expect(store.lastInstant == noon)
        #expect(store.loginCount == 1)
        #expect(store.tokens.map(\.name) == ["token"])
        let ada = PersonID(rawValue: 4)
        #expect(try store.log(of: ada).map(\.kind) == [.helpUsed])
        #expect(try store.pastSessions(of: ada).map(\.outcome) == [.ended])
        // A copy of what was there before, wherever something had to be changed.
        let copy = scratch.path + "/backups/before-migration.sqlite"
        #expect((fileSize(copy) != nil) == (version < Migrations.all.count))
        try store.change { $0.people[0].name = "Grace" }
    }
}
