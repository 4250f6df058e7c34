import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// Usage in the database: written usage can be read, the more exact source wins, nothing is kept beyond 90 days.
@Suite struct UsageStoreTests {
    private static let kim = PersonID(rawValue: 2)
    private static let phone = DeviceID(rawValue: 1)
    private static let tablet = DeviceID(rawValue: 2)
    /// noon's hour since 1970; noon is 2026-11-21 12:00 UTC.
    private static let hour = Int(noon.timeIntervalSince1970) / 3600
    private static let today = CivilDate("2026-11-21")!

    private static func open(_ scratch: Scratch) throws -> HouseholdStore {
        let store = try scratch.open()
        if store.household.people.count == 1 {
            let id = try store.newPersonID()
            try store.change { $0.people.append(Person(id: id, name: "Kim")) }
        }
        return store
    }

    private static func batch(
        hours: [HourMask] = [], days: [UsageDay] = [], attempts: [UsageAttempts] = []
    ) -> UsageBatch {
        var batch = UsageBatch()
        (batch.hours, batch.days, batch.attempts) = (hours, days, attempts)
        return batch
    }

    private static func mask(
        _ app: String, _ minutes: UInt64, hour: Int = hour, person: PersonID = me, device: DeviceID = phone,
        source: UsageSource = .dns
    ) -> HourMask {
        HourMask(person: person, device: device, app: app, hour: hour, source: source, minutes: minutes)
    }

    private static func figure(
        _ app: String?, _ minutes: Int, _ source: UsageSource = .dns, on date: CivilDate = today
    ) -> UsageDay {
        UsageDay(person: me, date: date, app: app, minutes: minutes, source: source)
    }

    @Test func anAppWithoutAnIdIsLeftOut() throws {
        // As zeroed bytes of a page look to SQLite.
        let names = try DatabaseQueue().write { db in
            try db.execute(
                sql: """
                    CREATE TABLE usage_app (number INTEGER PRIMARY KEY, id TEXT);
                    INSERT INTO usage_app VALUES (1, NULL), (2, 'film');
                    """)
            return try UsageRecord.appNames(db)
        }
        #expect(names == [2: "film"])
    }

    @Test("Masks replace those stored, also by nothing, and survive a restart") func masks() throws {
        let scratch = Scratch()
        do {
            let store = try Self.open(scratch)
            let all = [
                Self.mask("tiktok", HourMask.full), Self.mask("tiktok", 0b11, device: Self.tablet),
                Self.mask("gmail", 0b1, person: Self.kim),
            ]
            try store.recordUsage(Self.batch(hours: all))
            try store.recordUsage(Self.batch(hours: [Self.mask("tiktok", 0)]))
        }
        let store = try Self.open(scratch)
        #expect(
            Set(try store.usageHours(latest: 1, at: noon).joined()) == [
                Self.mask("tiktok", 0b11, device: Self.tablet), Self.mask("gmail", 0b1, person: Self.kim),
            ])
    }

    @Test("The instant is written with the use, in one transaction") func instant() throws {
        let scratch = Scratch()
        let batch = Self.batch(hours: [Self.mask("tiktok", 0b1)])
        do {
            let store = try Self.open(scratch)
            try store.recordUsage(batch, at: noon)
            #expect(store.lastInstant == noon)
            try store.recordUsage(batch)
        }
        #expect(try Self.open(scratch).lastInstant == noon)
    }

    @Test("By hour of the day, over all devices, in the household's zone") func byHour() throws {
        let store = try Self.open(Scratch())
        try store.change { $0.timeZone = "Asia/Kolkata" }
        // 12:00 UTC is 17:30 in Kolkata.
        try store.recordUsage(
            Self.batch(hours: [
                Self.mask("tiktok", 0b1111), Self.mask("tiktok", 0b110000, device: Self.tablet),
                Self.mask("tiktok", 1 << 45), Self.mask("tiktok", 1 << 45 | 0b1111),
                Self.mask("gmail", 1, hour: Self.hour + 6), Self.mask("gmail", 1 << 30, hour: Self.hour + 6),
            ]))
        let use = try store.usage(of: me, on: Self.today)
        #expect(Array(use.apps.keys) == ["tiktok"], "18:30 UTC is tomorrow there")
        let zone = try #require(CivilZone("Asia/Kolkata"))
        let day = DayRhythm(Self.today, in: zone, use: use.total.spans)
        #expect(day.hours[17] == 6 && day.hours[18] == 1 && day.total(.use) == 7)
        #expect(use.apps["tiktok"] == use.total && use.total.source == .dns)
        let tomorrow = try store.usage(of: me, on: Self.today.adding(days: 1))
        let next = DayRhythm(Self.today.adding(days: 1), in: zone, use: tomorrow.total.spans)
        #expect(next.hours[0] == 1 && tomorrow.total.count == 1)
    }

    @Test("Days: the more exact source wins, an upload stays beside what is counted on") func days() throws {
        let store = try Self.open(Scratch())
        let yesterday = Self.today.adding(days: -1)
        try store.recordUsage(
            Self.batch(days: [
                Self.figure("tiktok", 10), Self.figure("gmail", 30), Self.figure(nil, 35),
                Self.figure("gmail", 5, on: yesterday),
            ]))
        try store.recordUsage(Self.batch(days: [Self.figure("tiktok", 12, .upload)]))
        try store.recordUsage(
            Self.batch(days: [Self.figure("tiktok", 20), Self.figure("gmail", 31, .gateway)]))
        #expect(
            try store.usageDays(of: me, from: yesterday, to: Self.today) == [
                Self.figure("gmail", 5, on: yesterday), Self.figure(nil, 35),
                Self.figure("gmail", 31, .gateway),
                Self.figure("tiktok", 12, .upload),
            ])
        #expect(try store.usageDays(of: Self.kim, from: yesterday, to: Self.today).isEmpty)
    }

    @Test("Attempts add up") func attempts() throws {
        let store = try Self.open(Scratch())
        func attempt(_ app: String, _ count: Int) -> UsageAttempts {
            UsageAttempts(person: me, date: Self.today, app: app, count: count)
        }
        try store.recordUsage(Self.batch(attempts: [attempt("gmail", 1), attempt("tiktok", 2)]))
        try store.recordUsage(Self.batch(attempts: [attempt("tiktok", 5)]))
        #expect(
            try store.attempts(of: me, from: Self.today, to: Self.today) == [
                attempt("tiktok", 7), attempt("gmail", 1),
            ])
    }

    @Test("It goes with its person, and nothing is kept of somebody who is gone") func deleted() throws {
        let scratch = Scratch()
        let store = try Self.open(scratch)
        let hours = [Self.mask("tiktok", 1, person: Self.kim), Self.mask("gmail", 1)]
        try store.recordUsage(Self.batch(hours: hours))
        try store.change { $0.people.removeAll { $0.id == Self.kim } }
        #expect(try store.usageHours(latest: 9_999, at: noon).joined().map(\.app) == ["gmail"])
        try store.recordUsage(Self.batch(hours: hours))
        #expect(try store.usageHours(latest: 9_999, at: noon).joined().map(\.app) == ["gmail"])
    }

    @Test("Rows of a clock that was ahead hide nothing of today, and push nothing out")
    func ahead() throws {
        let store = try Self.open(Scratch())
        let later = (1...5_000).map { Self.mask("tiktok", 1, hour: Self.hour + 20_000 + $0) }
        try store.recordUsage(Self.batch(hours: later + [Self.mask("tiktok", 0b11)]))
        #expect(try store.usageHours(latest: 216, at: noon).joined().map(\.minutes) == [0b11])
        try store.forget(at: noon, isSynchronised: false)
        #expect(try store.usageHours(latest: 216, at: noon).joined().map(\.minutes) == [0b11])
    }

    @Test("90 days are kept") func pruning() throws {
        let store = try Self.open(Scratch())
        let old = Self.today.adding(days: -90)
        let older = Self.today.adding(days: -91)
        try store.recordUsage(
            Self.batch(
                hours: [
                    Self.mask("tiktok", 1, hour: Self.hour - 2160),
                    Self.mask("tiktok", 1, hour: Self.hour - 2161),
                ],
                days: [Self.figure(nil, 1, on: old), Self.figure(nil, 1, on: older)]))
        #expect(
            try store.usageHours(latest: 1, at: noon).joined().map(\.hour) == [Self.hour - 2160],
            "the last hour with any use")
        try store.forget(at: noon, isSynchronised: true)
        #expect(try store.usageHours(latest: 9_999, at: noon).joined().map(\.hour) == [Self.hour - 2160])
        #expect(try store.usageDays(of: me, from: older, to: Self.today).map(\.date) == [old])
        try store.forget(at: noon.addingTimeInterval(86_400), isSynchronised: true)
        #expect(try store.usageDays(of: me, from: older, to: Self.today).isEmpty)
    }

    @Test("A store that takes no change refuses it whole") func refused() throws {
        let scratch = Scratch()
        _ = try Self.open(scratch)
        let reader = try HouseholdStore.readOnly(directory: scratch.path, log: .silent)
        #expect(throws: StoreError.self) {
            try reader.recordUsage(Self.batch(hours: [Self.mask("tiktok", 1)]))
        }
    }

    /// 4 people with 5 devices each; every app for two hours on every device and day.
    @Test("200 apps on 20 devices for 90 days: under 50 MB, every query under 50 ms") func large()
        throws
    {
        let scratch = Scratch()
        try Self.fill(scratch)
        let size = try #require(fileSize(scratch.database))
        let store = try scratch.open()
        let clock = ContinuousClock()
        func milliseconds(_ body: () throws -> Int) throws -> Double {
            var found = 0
            let times = try (0..<5).map { _ in
                try clock.measure { found = try body() } / .milliseconds(1)
            }
            #expect(found > 0)
            return times.sorted()[2]
        }
        let month = try milliseconds {
            try store.usageDays(of: me, from: Self.today.adding(days: -27), to: Self.today).count
        }
        let hours = try milliseconds {
            try store.usage(of: me, on: Self.today.adding(days: -3)).apps.count
        }
        let attempts = try milliseconds {
            try store.attempts(of: me, from: Self.today.adding(days: -27), to: Self.today).count
        }
        let load = try milliseconds { try store.usageHours(latest: 216, at: noon).joined().count }
        print(
            """
            usage: 200 apps x 20 devices x 90 days, 720,000 hours: \(size / 1_000_000) MB; four weeks by app \
            \(Int(month)) ms, a day by hour \(Int(hours)) ms, attempts \(Int(attempts)) ms, nine days at the start \
            \(Int(load)) ms
            """)
        #expect(size < 50_000_000)
        #if !DEBUG
            #expect(month < 50 && hours < 50 && attempts < 50)
        #endif
    }

    private static func fill(_ scratch: Scratch) throws {
        do {
            let store = try open(scratch)
            for _ in 2..<4 {
                let id = try store.newPersonID()
                try store.change { $0.people.append(Person(id: id, name: "Person \(id.rawValue)")) }
            }
        }
        let first = today.adding(days: -89)
        let dates = (0..<90).map { "(\($0), \(first.adding(days: $0).digits))" }.joined(separator: ", ")
        try scratch.execute(
            """
            CREATE TEMP TABLE day (number, date);
            INSERT INTO day VALUES \(dates);
            CREATE TEMP TABLE n AS WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 199)
                SELECT i FROM n;
            INSERT INTO usage_app (number, id) SELECT i + 1, 'app-' || i FROM n;
            INSERT INTO usage_hour
                SELECT 1 + d.i / 5, (\(hour) - 89 * 24 + day.number * 24 + (a.i + d.i * 3 + half.i * 7) % 24), a.i + 1,
                    d.i + 1, 0, abs(random()) % 1152921504606846975 + 1
                FROM day, n AS d, n AS a, n AS half WHERE d.i < 20 AND half.i < 2 ORDER BY 2;
            INSERT INTO usage_day
                SELECT p.i, day.date, a.i, 0, 60 FROM day, n AS p, (SELECT i FROM n UNION ALL SELECT 200) AS a
                WHERE p.i BETWEEN 1 AND 4 ORDER BY 2;
            INSERT INTO usage_attempt
                SELECT p.i, day.date, a.i + 1, 3 FROM day, n AS p, n AS a WHERE p.i BETWEEN 1 AND 4 ORDER BY 2;
            """)
    }
}
