import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// A household as each released version of the schema stored it, in SQL, and what it must read as today.
@Suite struct MigrationTests {
    static let fixtures = [
        version1, version1 + version2, version1 + version2 + version3,
        version1 + version2 + version3 + version4,
        version1 + version2 + version3 + version4 + version5,
        version1 + version2 + version3 + version4 + version5 + version6,
        version1 + version2 + version3 + version4 + version5 + version6 + version7,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10 + version11,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10 + version11 + version12,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10 + version11 + version12 + version13,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10 + version11 + version12 + version13 + version14,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10 + version11 + version12 + version13 + version14 + version15,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10 + version11 + version12 + version13 + version14 + version15 + version16,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10WithoutSession + version11 + version12 + version13 + version14 + version15 + version16
            + version17,
        version1 + version2 + version3 + version4 + version5 + version6 + version7 + version8 + version9
            + version10WithoutSession + version11 + version12 + version13 + version14 + version15 + version16
            + version17 + version18,
    ]

    private static let version18 = """

        INSERT INTO verified_upload VALUES (1, 2, '2026-11-19', 12, 'ios_deviceactivity_v2', 'UTC', 0, 0);
        """

    private static let version17 = """

        UPDATE device SET leave_due = 1795266000000, help_messages_from = 1795262460000 WHERE id = 7;
        INSERT INTO device_leave VALUES (7, 1, 1795262460000), (7, 1, 1795262400000);
        UPDATE person SET help_night = '2026-11-20', help_presses = 3 WHERE id = 4;
        """

    /// The column went with version 17.
    private static let version10WithoutSession = version10.replacing(/\n *leave_session = '[^']*',/, with: "")

    private static let version16 = """

        UPDATE household SET not_repeaters = '["02:00:00:00:00:98"]', possible_repeaters = '["02:00:00:00:00:97"]';
        """

    private static let version15 = """

        UPDATE household SET repeaters = '["02:00:00:00:00:99"]';
        """

    private static let version14 = """

        UPDATE device SET kind = 'tablet', no_mobile_data = 1 WHERE id = 9;
        """

    private static let version13 = """

        INSERT INTO relayed VALUES (1, 1, '["tiktok","youtube"]');
        """

    private static let version12 = """

        UPDATE device SET trusted_authority = '\(String(repeating: "0a", count: 32))' WHERE id = 7;
        """

    private static let version11 = """

        UPDATE device SET named = 0, network_name = 'adas-phone' WHERE id = 7;
        INSERT INTO device (id, name, kind, first_seen, last_seen) VALUES (9, 'Other', 'other', 1000, 2500);
        INSERT INTO former_hardware VALUES ('02:00:00:00:00:08', 7, 1), ('02:00:00:00:00:09', 7, 0);
        INSERT INTO told_apart VALUES (9, 7);
        """

    private static let version10 = """

        UPDATE event SET subject = 'tonight', hand = 'ownDevice', hand_words = 'on Phone';
        UPDATE device SET leave_asked_at = 1795262400000, leave_due = 1795262460000,
            leave_session = '6F9619FF-8B86-D011-B42D-00C04FC964FF', left_by = 1, left_at = 1795262400000;
        INSERT INTO wish VALUES
            (4, 1, '4F9619FF-8B86-D011-B42D-00C04FC964FF', 'later', NULL, '2026-11-21', 7, 1795262400000, 'open', NULL),
            (4, 0, '5F9619FF-8B86-D011-B42D-00C04FC964FF', 'app', 'tiktok', NULL, NULL, 1795262400000, 'declined',
             1795262460000);
        """

    private static let version8 = """

        UPDATE household SET former_dns = '192.168.1.1, by DHCP';
        UPDATE device SET try_until = 1795262520000;
        """

    private static let version9 = """

        UPDATE webhook SET form = 'ntfy';
        INSERT INTO notice VALUES ('clock', '', 'It is wrong.', 1795262400000, 1795348800000),
            ('quiet-device', '7', 'It is quiet.', 1795262400000, NULL),
            ('of-a-later-version', '', 'x', 1795262400000, NULL);
        INSERT INTO remembered VALUES ('address', '["10.0.0.9"]', '["10.0.0.5"]', 1795262400000),
            ('upstreams', '["9.9.9.9"]', NULL, NULL);
        """

    private static let version6 = "\nUPDATE device SET confirmed = 0;"

    private static let version7 = """

        INSERT INTO webhook (id, person, url, events, since, sealed, tried_at, status, fault) VALUES (
            '2F9619FF-8B86-D011-B42D-00C04FC964FF', 4,
            'http://192.168.1.20:8123/api/webhook/x', '["focus.started","of.a.later.version"]', 1795262400000,
            zeroblob(78), 1795262460000, 204, NULL);
        INSERT INTO webhook_letter (id, webhook, event, body, tries, due) VALUES (
            '3F9619FF-8B86-D011-B42D-00C04FC964FF', '2F9619FF-8B86-D011-B42D-00C04FC964FF', 'focus.started', '{}', 2,
            1795262460000);
        """

    private static let version1 = """
        INSERT INTO person (id, name, role, default_strictness, night_done)
            VALUES (1, 'Me', 'adult', 'strict', '2026-11-20'), (4, 'Ada', 'child', 'flexible', NULL);
        INSERT INTO household (id, time_zone, new_devices_belong_to, offers_help, unreachable)
            VALUES (1, 'Europe/Berlin', 4, 0, '["android"]');
        INSERT INTO device (id, name, kind, person, hardware_address, first_seen, last_seen, help_until)
            VALUES (7, 'Phone', 'phone', 4, '02:00:00:00:00:07', 1000, 2500, NULL);
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
        INSERT INTO access VALUES (1, '\(passcodeText)', NULL, zeroblob(32), 1795262400000);
        INSERT INTO login VALUES (zeroblob(32), 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 0, 0);
        INSERT INTO api_token VALUES (3, 'token', zeroblob(32), 0);
        """

    private static let version2 = """

        INSERT INTO selection VALUES (1, 'restricted', '["tiktok"]', '[]', '[]');
        INSERT INTO window_schedule VALUES (1), (4);
        INSERT INTO time_window VALUES (1, 1, '8F9619FF-8B86-D011-B42D-00C04FC964FF', '', '18:00', '19:00', '["sat"]'),
            (1, 0, '9F9619FF-8B86-D011-B42D-00C04FC964FF', 'Lunch', '12:00', '13:00', '["mon","tue"]');
        INSERT INTO override_state VALUES (1, 1795262400000, 1795265100000);
        INSERT INTO limit_settings VALUES (4, 4, 3, '2026-11-21', 2, 8);
        INSERT INTO usage_limit VALUES
            (4, 0, 'monitor_AF9619FF-8B86-D011-B42D-00C04FC964FF', 'app', 'tiktok', 30, '{"sat":60}', 200),
            (4, 1, 'monitor_cat_BF9619FF-8B86-D011-B42D-00C04FC964FF', 'category', 'games', 45, '{}', NULL);
        INSERT INTO probation VALUES
            (4, 0, 'probation_cat_CF9619FF-8B86-D011-B42D-00C04FC964FF', 'category', 'games', 1795262460000);
        INSERT INTO reached_limit VALUES (4, 0, 'app', 'tiktok', '2026-11-21', 60, 90, 1795262400000);
        INSERT INTO extra_time VALUES (4, 0, 'app', 'tiktok', '2026-11-21', 15);
        INSERT INTO time_request VALUES (4, 0, 'DF9619FF-8B86-D011-B42D-00C04FC964FF', 'app', 'tiktok', 7,
            1795262400000, 'granted', 1795262460000);
        INSERT INTO pending_change VALUES (1, 0, 'EF9619FF-8B86-D011-B42D-00C04FC964FF', 1795262460000,
            '{"kind":"allowedWindows","allowedWindows":[]}');
        """

    private static let version3 = """

        INSERT INTO usage_app VALUES (1, 'tiktok');
        INSERT INTO usage_hour VALUES (4, 498684, 1, 7, 0, 255);
        INSERT INTO usage_day VALUES (4, 20261121, 1, 0, 8), (4, 20261121, 0, 0, 8);
        INSERT INTO usage_attempt VALUES (4, 20261121, 1, 2);
        """

    private static let version4 = """

        INSERT INTO focus VALUES (1, 'running', 1500, NULL, 'FF9619FF-8B86-D011-B42D-00C04FC964FF', 1795262400000,
            1795262460000, 1795263900000, 1795262520000, 25, 1, 'MonoFocus DND', '');
        INSERT INTO focus VALUES (4, 'paused', 5400, 1200, '0F9619FF-8B86-D011-B42D-00C04FC964FF', NULL,
            1795262400000, NULL, NULL, 90, 0, '', 'Grey');
        INSERT INTO focus_session VALUES (4, '1F9619FF-8B86-D011-B42D-00C04FC964FF', 1795262400000, 1795263900000,
            1500, '25m', 1);
        """

    /// What version 1 was when it was released; a difference here means that homes would differ too.
    static let digests = [
        "001 foundation": "979840c6a981c49d",
        "002 windows and limits": "e4413927e68b8bf",
        "003 usage": "be563c283ab34260",
        "004 focus": "24af42a280de3b8c",
        "005 verified minutes": "fcc6de418c31be0",
        "006 confirmed devices": "6456b7e9d8f8d",
        "007 webhooks": "49c33a4458c8856",
        "008 the end of set-up": "254c15281160dc20",
        "009 notices": "1d4bd0d27992578c",
        "010 fairness": "9ddcacc86d1c593",
        "011 names of devices": "10539f228a854b",
        "012 trusted authority": "40963ec81cad2be3",
        "013 relayed apps": "f83669c341dde12a",
        "014 no mobile data": "8cfea0614cf5788b",
        "015 repeaters": "f79a6d9579349958",
        "016 not repeaters": "41147ed5a6f45658", "017 leaving": "d231c44b877ae2a",
        "018 one ledger of verified minutes": "de53a537e02941a2",
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

    /// What version 2 keeps beside it.
    static var expectedWithLayers: Household {
        func id(_ first: String) -> UUID { UUID(uuidString: first + "F9619FF-8B86-D011-B42D-00C04FC964FF")! }
        func at(_ hour: Int) -> TimeOfDay { TimeOfDay(hour: hour, minute: 0) }
        let today = CivilDate(year: 2026, month: 11, day: 21)
        let soon = noon.addingTimeInterval(60)
        var household = expected
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]),
            windows: [
                TimeWindow(
                    id: id("9"), label: "Lunch", start: at(12), end: at(13), days: [.mon, .tue]),
                TimeWindow(id: id("8"), label: "", start: at(18), end: at(19), days: [.sat]),
            ],
            override: OverrideState(
                lastUsedDate: noon, overrideExpiresAt: noon.addingTimeInterval(OverrideState.duration)))
        household.people[0].pending = [PendingChange(id: id("E"), due: soon, change: .windows([]))]
        household.people[1].antiRot.windows = []
        household.people[1].looseningDelay = 8
        household.people[1].limits = Limits(
            list: [
                UsageLimit(
                    id: id("A"), target: .app("tiktok"), minutes: 30, minutesByDay: [.sat: 60],
                    weeklyMinutes: 200),
                UsageLimit(id: id("B"), target: .category("games"), minutes: 45),
            ],
            resetHour: 4, unlocksPerDay: 3, unlocks: Limits.DayCount(day: today, count: 2),
            probations: [Probation(id("C"), target: .category("games"), at: noon)],
            reached: [
                ReachedLimit(
                    target: .app("tiktok"), day: today, use: TargetUse(day: 60, week: 90), since: noon)
            ],
            extraTime: [ExtraTime(target: .app("tiktok"), day: today, minutes: 15)],
            requests: [
                TimeRequest(
                    id: id("D"), target: .app("tiktok"), device: DeviceID(rawValue: 7), askedAt: noon,
                    answer: .granted, answeredAt: soon)
            ])
        return household
    }

    /// What version 4 keeps beside it.
    static var expectedWithFocus: Household {
        func id(_ first: String) -> UUID { UUID(uuidString: first + "F9619FF-8B86-D011-B42D-00C04FC964FF")! }
        var household = expectedWithLayers
        household.people[0].focus = Focus(
            timer: FocusTimer(
                totalSeconds: 1_500,
                state: .running(
                    FocusTimer.Running(
                        session: id("F"), start: noon, since: noon.addingTimeInterval(60),
                        endsAt: noon.addingTimeInterval(1_500), seen: noon.addingTimeInterval(120))))!,
            shieldsWhileFocusing: true, shortcuts: FocusShortcuts(dndShortcutName: "MonoFocus DND"))
        household.people[1].focus = Focus(
            timer: FocusTimer(totalSeconds: 5_400, state: .idle(remaining: 1_200))!,
            lastPreset: Preset(minutes: 90)!, shortcuts: FocusShortcuts(grayscaleShortcutName: "Grey"))
        return household
    }

    /// Version 6 knows whether somebody said whose a device is.
    static var expectedUnconfirmed: Household {
        var household = expectedWithVerified
        household.devices[0].isConfirmed = false
        return household
    }

    /// Version 8 knows the way back, and a try.
    static var expectedWithWayBack: Household {
        var household = expectedUnconfirmed
        household.formerDNS = "192.168.1.1, by DHCP"
        household.devices[0].tryUntil = noon.addingTimeInterval(120)
        return household
    }

    /// Version 10 knows who is about to leave, who left, and what somebody asks for.
    static var expectedWithWishes: Household {
        func id(_ first: String) -> UUID { UUID(uuidString: first + "F9619FF-8B86-D011-B42D-00C04FC964FF")! }
        var household = expectedWithWayBack
        let soon = noon.addingTimeInterval(60)
        // It waited for a session, to whose end it is held.
        household.devices[0].departure = Departure(askedAt: noon, due: noon.addingTimeInterval(3_600))
        household.devices[0].left = Left(person: me, at: noon)
        household.people[1].wishes = [
            Wish(
                id: id("5"), what: .app("tiktok"), device: nil, askedAt: noon, answer: .declined,
                answeredAt: soon),
            Wish(
                id: id("4"), what: .later(CivilDate(year: 2026, month: 11, day: 21)),
                device: DeviceID(rawValue: 7), askedAt: noon),
        ]
        return household
    }

    /// Version 17 counts how often somebody left, and pressed Help.
    static var expectedWithLeaves: Household {
        var household = expectedWithoutRepeater
        let soon = noon.addingTimeInterval(60)
        household.devices[0].helpMessagesFrom = soon
        household.devices[0].leaves = [Left(person: me, at: noon), Left(person: me, at: soon)]
        household.people[1].helpPresses = HelpPresses(
            night: CivilDate(year: 2026, month: 11, day: 20), count: 3)
        return household
    }

    /// Version 11 knows what the network calls a device, and what it was and is not.
    static var expectedWithNames: Household {
        var household = expectedWithWishes
        household.devices[0].isNamed = false
        household.devices[0].networkName = "adas-phone"
        household.devices[0].formerHardwareAddresses = ["02:00:00:00:00:09", "02:00:00:00:00:08"]
        household.devices.append(
            Device(
                id: DeviceID(rawValue: 9), name: "Other", addresses: [],
                toldApart: [DeviceID(rawValue: 7)], firstSeen: Date(timeIntervalSince1970: 1),
                lastSeen: Date(timeIntervalSince1970: 2.5)))
        return household
    }

    /// Version 13 knows what is relayed.
    static var expectedWithRelay: Household {
        var household = expectedWithTrust
        household.people[0].relayed = RelayedApps(includesRuled: true, chosen: ["tiktok", "youtube"])
        return household
    }

    /// Version 14 knows which tablets have no mobile data.
    static var expectedWithTablet: Household {
        var household = expectedWithRelay
        household.devices[1].kind = .tablet
        household.devices[1].hasNoMobileData = true
        return household
    }

    /// Version 15 knows repeaters.
    static var expectedWithRepeater: Household {
        var household = expectedWithTablet
        household.repeaters = ["02:00:00:00:00:99"]
        return household
    }

    /// Version 16 knows who is none.
    static var expectedWithoutRepeater: Household {
        var household = expectedWithRepeater
        household.notRepeaters = ["02:00:00:00:00:98"]
        household.possibleRepeaters = ["02:00:00:00:00:97"]
        return household
    }

    /// Version 12 knows which authority a device was seen to trust.
    static var expectedWithTrust: Household {
        var household = expectedWithNames
        household.devices[0].trustedAuthority = String(repeating: "0a", count: 32)
        return household
    }

    @Test("Names that were made up here are known by their form; all others are somebody's")
    func whoNamedADevice() throws {
        let scratch = try stored(9)
        let names = ["Device 20", "Device 99", "Device at 10.0.0.9", "Devices", "This machine"]
        for (index, name) in names.enumerated() {
            try scratch.execute(
                """
                INSERT INTO device (id, name, kind, first_seen, last_seen)
                    VALUES (\(20 + index), '\(name)', 'other', 0, 0)
                """)
        }
        let devices = try scratch.open().household.devices.filter { $0.id.rawValue >= 20 }
        #expect(devices.map(\.isNamed) == [false, true, false, true, true])
    }

    @Test func everyVersionHasAFixtureAndIsNeverEdited() {
        #expect(Self.fixtures.count == Migrations.all.count)
        let digests = Dictionary(uniqueKeysWithValues: Migrations.all.map { ($0.name, hex(sha256($0.sql))) })
        #expect(digests == Self.digests)
    }

    private func hex(_ data: Data) -> String { data.prefix(8).map { String($0, radix: 16) }.joined() }

    @Test(arguments: Array(1...Migrations.all.count)) func aHouseholdOfEveryVersionLivesOn(version: Int)
        throws
    {
        let scratch = try stored(version)
        let store = try scratch.open()
        #expect(store.opening.rules == .stored)
        #expect(store.household == expected(version))
        #expect(store.passcodeHash == passcodeText)
        #expect(store.lastInstant == noon)
        #expect(store.loginCount == 1)
        #expect(store.tokens.map(\.name) == ["token"])
        let ada = PersonID(rawValue: 4)
        let log = try store.log(of: ada)
        #expect(log.map(\.kind) == [.helpUsed])
        #expect(log.map(\.subject) == [version < 10 ? nil : .tonight])
        #expect(log.map(\.hand) == [version < 10 ? nil : Hand(.ownDevice, "on Phone")])
        #expect(try store.pastSessions(of: ada).map(\.outcome) == [.ended])
        let hooks = store.webhooks
        #expect(hooks.map(\.address.origin) == (version < 7 ? [] : ["http://192.168.1.20:8123"]))
        #expect(hooks.allSatisfy { $0.events == [.focusStarted] && $0.person == ada })
        #expect(hooks.allSatisfy { $0.latest?.outcome == .answered(204) })
        #expect(hooks.map(\.form) == (version < 7 ? [] : [knowsNotices(version) ? .ntfy : .json]))
        expectNotices(of: store, version)
        let letters = store.takeLetters(at: noon.addingTimeInterval(60)).map(\.letter)
        #expect(letters.map(\.tries) == (version < 7 ? [] : [2]))
        let day = CivilDate(year: 2026, month: 11, day: 21)
        #expect(
            try store.usageDays(of: ada, from: day, to: day).map(\.minutes) == (version < 3 ? [] : [8, 8]))
        #expect(try store.allFocusSessions(of: ada).map(\.presetLabel) == (version < 4 ? [] : ["25m"]))
        // A copy of what was there before, wherever something had to be changed.
        let next = version < Migrations.all.count ? String(Migrations.all[version].name.prefix(3)) : nil
        let copies = Backups(directory: scratch.path).beforeUpgrades
        #expect(copies == [next].compactMap { $0.map { scratch.database + ".before-" + $0 } })
        try store.change { $0.people[0].name = "Grace" }
    }

    /// A command that only reads, after the program was replaced and before the server was started again.
    @Test func readingAnOlderFileSaysWhatToDo() throws {
        let scratch = try stored(Migrations.all.count - 1)
        let refused = #expect(throws: StoreError.older(path: scratch.database)) {
            try OpenDatabase(reading: scratch.database, log: .silent)
        }
        #expect("\(try #require(refused))".contains("Start the server once"))
        _ = try scratch.open()
        _ = try OpenDatabase(reading: scratch.database, log: .silent)
    }

    /// Whether a version has migration 009.
    private func knowsNotices(_ version: Int) -> Bool {
        Migrations.all.prefix(version).contains { $0.name == Migration009.name }
    }

    private func expectNotices(of store: HouseholdStore, _ version: Int) {
        let board = store.notices
        guard knowsNotices(version) else { return #expect(board == NoticeBoard()) }
        #expect(board.notices.map(\.id) == ["clock", "quiet-device-7"])
        #expect(board.notices.map(\.awayUntil) == [noon.addingTimeInterval(86_400), nil])
        #expect(board.notices.map(\.finding.device) == [nil, DeviceID(rawValue: 7)])
        #expect(board.place.address == Remembered(["10.0.0.9"], before: ["10.0.0.5"], changedAt: noon))
        #expect(board.place.upstreams == Remembered(["9.9.9.9"]))
    }

    @Test func anUpgradeKeepsOneCopyAndTheWayBackIsOpen() throws {
        let scratch = try stored(6)
        // What the upgrade before left, also under the name that it had then.
        let before = scratch.database + ".before-006"
        try Data("older".utf8).write(to: URL(filePath: before))
        try makeDirectory(scratch.path + "/backups")
        let legacy = scratch.path + "/backups/before-migration.sqlite"
        try Data("older".utf8).write(to: URL(filePath: legacy))
        var store: HouseholdStore? = try scratch.open()
        try store?.change { $0.people[0].name = "Grace" }
        store?.flush()
        store = nil
        let copy = scratch.database + ".before-007"
        #expect(Backups(directory: scratch.path).beforeUpgrades == [copy])
        #expect(fileSize(before) == nil && fileSize(legacy) == nil)
        #expect(try applied(copy) == Migrations.all.prefix(6).map(\.name))
        // A start that changes no schema leaves it alone.
        _ = try scratch.open()
        #expect(Backups(directory: scratch.path).beforeUpgrades == [copy])

        // As this version finds the data of a later one.
        try scratch.execute("INSERT INTO grdb_migrations VALUES ('999 of a later version')")
        #expect(throws: StoreError.newer(path: scratch.database)) { _ = try scratch.open() }
        let kept = try HouseholdStore.restore(from: copy, into: scratch.path, at: noon, log: .silent)
        let back = try scratch.open()
        #expect(back.household == expected(6) && back.loginCount == 0 && back.passcodeHash == passcodeText)
        #expect(back.opening.rules == .stored)
        #expect(try applied(#require(kept)).last == "999 of a later version")
        #expect(fileSize(copy) != nil)
    }

    private func applied(_ database: String) throws -> [String] {
        try DatabaseQueue(path: database).read {
            try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY identifier")
        }
    }

    @Test(arguments: Array(1...Migrations.all.count)) func aBackupOfEveryVersionIsRestored(version: Int)
        throws
    {
        let old = try stored(version)
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { LayersTests.fill(&$0) }
        try store.restore(from: old.database, at: noon)
        #expect(store.household == expected(version))
        #expect(try store.log(of: PersonID(rawValue: 4)).map(\.kind) == [.helpUsed])
    }

    /// On a disk that is full the schema cannot be brought to date; the rules hold all the same.
    @Test(arguments: Array(1...Migrations.all.count)) func everyVersionHoldsOnAFullDisk(version: Int) throws {
        let scratch = try stored(version)
        let opened = try OpenDatabase(
            standingInFor: scratch.database, directory: scratch.path, after: .diskFull, log: .silent)
        #expect(opened.household == expected(version))
    }

    @Test("DD-059: of a day that several tokens spoke of the newest holds, no day is lost, and usage follows")
    func oneLedger() throws {
        let scratch = try stored(Migrations.all.firstIndex { $0.name == Migration018.name }!)
        try scratch.execute(
            """
            INSERT INTO usage_app VALUES (900, 'verified-minutes');
            INSERT INTO usage_day VALUES (4, 20261118, 900, 1, 80), (4, 20261119, 900, 1, 45);
            INSERT INTO verified_upload VALUES
                (4, 2, '2026-11-18', 80, 'old', 'UTC', 0, 1), (4, 1, '2026-11-18', 50, 'new', 'UTC', 0, 2),
                (4, 0, '2026-11-18', 60, 'own', 'UTC', 0, 1), (4, 3, '2025-01-01', 0, 's', 'UTC', 0, 0);
            INSERT INTO verified_connection VALUES (4, 7, 0, 'Asia/Tokyo', 9);
            INSERT INTO verified_selection VALUES
                (4, 7, 'connection', 'AAAA', 1, 0, 0), (4, 8, 'connection', 'BBBB', 2, 0, 0);
            """)
        let store = try scratch.open()
        let person = PersonID(rawValue: 4)
        #expect(
            try store.receivedUploads(of: person).map { "\($0.date) \($0.minutes) \($0.source)" } == [
                "2026-11-19 45 ios_deviceactivity_v2", "2026-11-18 50 new", "2025-01-01 0 s",
            ])
        let days = try store.usageDays(
            of: person, from: CivilDate("2026-11-18")!, to: CivilDate("2026-11-19")!)
        #expect(days.filter { $0.app == "verified-minutes" }.map(\.minutes).sorted() == [45, 50])
        let connection = try #require(try store.receivedConnection(of: person))
        #expect(connection.token == 7 && connection.timezone == "Asia/Tokyo" && !connection.isEnabled)
        #expect(connection.selection?.encodedPlistBase64 == "AAAA")
    }

    /// A database as a released version left it.
    private func stored(_ version: Int) throws -> Scratch {
        let scratch = Scratch()
        try makeDirectory(scratch.path)
        try scratch.execute(
            """
            PRAGMA application_id = \(Migrations.applicationID);
            CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
            """)
        for migration in Migrations.all.prefix(version) {
            try scratch.execute(migration.sql)
            try scratch.execute("INSERT INTO grdb_migrations VALUES ('\(migration.name)')")
        }
        try scratch.execute(Self.fixtures[version - 1])
        return scratch
    }

    private func expected(_ version: Int) -> Household {
        switch version {
        case 1: Self.expected
        case 2, 3: Self.expectedWithLayers
        case 4: Self.expectedWithFocus
        case 5: Self.expectedWithVerified
        case 6, 7: Self.expectedUnconfirmed
        case 8, 9: Self.expectedWithWayBack
        case 10: Self.expectedWithWishes
        case 11: Self.expectedWithNames
        case 12: Self.expectedWithTrust
        case 13: Self.expectedWithRelay
        case 14: Self.expectedWithTablet
        case 15: Self.expectedWithRepeater
        case 16: Self.expectedWithoutRepeater
        default: Self.expectedWithLeaves
        }
    }
}
