import Foundation
import Testing

@testable import Policy

/// Compares masks with sets of minutes; days and weeks of limits; what is written and what is not.
@Suite struct UsageLedgerTests {
    /// Minutes from Monday, 2026-11-16, on.
    private static let base = Int(at("2026-11-16T00:00:00Z").timeIntervalSince1970) / 60
    private static let apps = ["tiktok", "youtube", "gmail"]

    private static func instant(_ minute: Int) -> Date { Date(timeIntervalSince1970: Double(minute * 60)) }

    private static func change(
        _ person: PersonID, _ device: DeviceID, _ app: String, _ minutes: ClosedRange<Int>
    ) -> UsageChange {
        UsageChange(device: device, person: person, app: app, range: minutes, minutes: [minutes])
    }

    @Test(
        "A-03: a person's minutes are the union over devices and apps: masks agree with sets",
        arguments: 0..<40)
    func union(seed: UInt64) {
        var random = Generator(seed: seed)
        var ledger = UsageLedger()
        var truth: [String: Set<Int>] = [:]
        func key(_ person: PersonID, _ device: DeviceID, _ app: String) -> String {
            "\(person.rawValue) \(device.rawValue) \(app)"
        }
        for _ in 0..<60 {
            let (person, device) = (random.pick([me, kid]), random.pick([phone, tablet]))
            let app = random.pick(Self.apps)
            let start = Self.base + random.int(0...400)
            let range = start...start + random.int(0...200)
            let used = start + random.int(0...50)
            let minutes = (used...used + random.int(0...90)).clamped(to: range)
            ledger.apply(
                UsageChange(device: device, person: person, app: app, range: range, minutes: [minutes]))
            truth[key(person, device, app), default: []].subtract(range)
            truth[key(person, device, app), default: []].formUnion(minutes)
        }
        for _ in 0..<60 {
            let person = random.pick([me, kid])
            let apps = Self.apps.filter { _ in random.chance(60) }
            let start = Self.base + random.int(-60...500)
            let end = start + random.int(0...500)
            let expected = Set(
                apps.flatMap { app in
                    [phone, tablet].flatMap { truth[key(person, $0, app)] ?? [] }
                }.filter { (start..<end).contains($0) })
            #expect(
                ledger.minutes(of: person, apps: apps, in: Self.instant(start)..<Self.instant(end))
                    == expected.count)
        }
    }

    @Test("To the minute: a range that begins or ends within a minute excludes that minute")
    func edges() {
        var ledger = UsageLedger()
        ledger.apply(Self.change(me, phone, "tiktok", Self.base...Self.base + 9))
        let start = Self.instant(Self.base)
        func minutes(_ from: TimeInterval, _ to: TimeInterval) -> Int {
            ledger.minutes(of: me, in: start.addingTimeInterval(from)..<start.addingTimeInterval(to))
        }
        #expect(minutes(0, 600) == 10)
        #expect(minutes(1, 600) == 9)
        #expect(minutes(0, 599) == 9)
        #expect(minutes(61, 119) == 0)
        #expect(minutes(0, 0) == 0)
    }

    @Test("If two sources cover an hour on a device, the more exact one counts from its first minute on")
    func sources() {
        var ledger = UsageLedger()
        ledger.apply(Self.change(me, phone, "tiktok", Self.base + 5...Self.base + 19))
        ledger.apply(Self.change(me, phone, "tiktok", Self.base + 10...Self.base + 13), source: .gateway)
        ledger.apply(Self.change(me, phone, "tiktok", Self.base + 9...Self.base + 9), source: .relay)
        ledger.apply(Self.change(me, tablet, "tiktok", Self.base + 20...Self.base + 20))
        let range = Self.instant(Self.base)..<Self.instant(Self.base + 60)
        let expected = 4 + 1 + 4 + 1
        #expect(ledger.minutes(of: me, in: range) == expected, "lookups, relayed, exact, the tablet's")
        let days = ledger.takeUnwritten(in: .utc).days
        #expect(days.first { $0.app == "tiktok" }?.source == .gateway)
    }

    @Test("TH-007: totals by the day and the week of the person's limits, with a reset hour, across midnight")
    func totals() throws {
        let catalog = try RealCatalog.catalog.get()
        var household = home(zone: "Europe/Berlin")
        household.people[0].limits.list = [
            UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30),
            UsageLimit(id: UUID(), target: .category("short-video"), minutes: 30),
        ]
        household.people[0].limits.resetHour = 4
        var ledger = UsageLedger()
        // Tuesday 03:50 to 04:09 in Berlin, on two devices at once.
        let start = Int(at("2026-11-17T02:50:00Z").timeIntervalSince1970) / 60
        ledger.apply(Self.change(me, phone, "tiktok", start...start + 19))
        ledger.apply(Self.change(me, tablet, "douyin", start + 15...start + 24))
        ledger.apply(Self.change(kid, tablet, "tiktok", start...start + 59))
        var latest = LatestTotals()
        func totals(_ instant: String) -> UsageTotals {
            latest.totals(of: ledger, for: household, catalog: catalog, at: at(instant))
        }
        #expect(totals("2026-11-17T02:59:59Z")[me, .app("tiktok")] == TargetUse(day: 9, week: 9))
        #expect(totals("2026-11-17T03:00:00Z")[me, .app("tiktok")] == TargetUse(day: 0, week: 10))
        #expect(totals("2026-11-17T03:30:00Z")[me, .app("tiktok")] == TargetUse(day: 10, week: 20))
        #expect(totals("2026-11-17T03:30:00Z")[me, .category("short-video")] == TargetUse(day: 15, week: 25))
        #expect(totals("2026-11-18T03:00:00Z")[me, .app("tiktok")] == TargetUse(day: 0, week: 20))
        #expect(
            totals("2026-11-23T03:00:00Z")[me, .app("tiktok")] == TargetUse(day: 0, week: 0), "Monday 04:00")
        #expect(
            totals("2026-11-17T03:30:00Z")[kid, .app("tiktok")] == TargetUse(),
            "who has no limit is not counted up")
    }

    @Test(
        "A page shows each app's day and the union; what could not be written is returned again")
    func batches() throws {
        var ledger = UsageLedger()
        let zone = try #require(CivilZone("Europe/Berlin"))
        // 23:30 to 00:29 in Berlin.
        let start = Int(at("2026-11-16T22:30:00Z").timeIntervalSince1970) / 60
        ledger.apply(Self.change(me, phone, "tiktok", start...start + 59))
        ledger.apply(Self.change(me, tablet, "gmail", start + 20...start + 39))
        ledger.attempt(on: "tiktok", by: me, on: day("2026-11-16"))
        let batch = ledger.takeUnwritten(in: zone)
        func minutes(_ date: String, _ app: String?) -> Int? {
            batch.days.first { $0.date == day(date) && $0.app == app }?.minutes
        }
        #expect(minutes("2026-11-16", "tiktok") == 30 && minutes("2026-11-17", "tiktok") == 30)
        #expect(minutes("2026-11-16", "gmail") == 10 && minutes("2026-11-16", nil) == 30)
        #expect(
            batch.attempts == [UsageAttempts(person: me, date: day("2026-11-16"), app: "tiktok", count: 1)])
        #expect(ledger.takeUnwritten(in: zone).isEmpty)
        ledger.putBack(batch)
        #expect(Set(ledger.takeUnwritten(in: zone).hours) == Set(batch.hours))
        var again = UsageLedger()
        again.join(batch.hours)
        #expect(again.minutes(of: me, in: at("2026-11-16T00:00:00Z")..<at("2026-11-18T00:00:00Z")) == 60)
    }

    @Test(
        "One sum: the hours of a day, each app's and the roll-up agree with sets of minutes over any masks",
        arguments: 0..<60)
    func oneSum(seed: UInt64) throws {
        var random = Generator(seed: 7_000 + seed)
        let zone = try #require(
            CivilZone(random.pick(["UTC", "Asia/Kathmandu", "Europe/Berlin", "America/St_Johns"])))
        let date = random.pick([day("2026-10-25"), day("2026-11-16"), day("2026-03-29")])
        let start = Int(zone.dayStart(date).timeIntervalSince1970) / 60
        let end = Int(zone.dayStart(date.adding(days: 1)).timeIntervalSince1970) / 60
        var masks: [HourMask] = []
        for _ in 0..<random.int(1...80) {
            let mask = HourMask(
                person: me, device: random.pick([phone, tablet]), app: random.pick(Self.apps),
                hour: start.hour + random.int(-1...25), source: random.pick(UsageSource.allCases),
                minutes: UInt64.random(in: 0...HourMask.full, using: &random)
                    & UInt64.random(in: 0...HourMask.full, using: &random))
            let isNew = !masks.contains {
                ($0.device, $0.app, $0.hour, $0.source) == (mask.device, mask.app, mask.hour, mask.source)
            }
            if isNew { masks.append(mask) }
        }
        let truth = Dictionary(uniqueKeysWithValues: Self.apps.map { ($0, Self.minutes(of: $0, masks)) })
        func check(_ use: MinutesOfUse, _ minutes: Set<Int>) {
            let inDay = minutes.filter { (start..<end).contains($0) }
            var hours = [Int](repeating: 0, count: 24)
            for minute in inDay { hours[zone.time(of: Self.instant(minute)).hour] += 1 }
            let rhythm = DayRhythm(date, in: zone, use: use.spans)
            #expect(rhythm.hours == hours && rhythm.total(.use) == inDay.count && use.count == inDay.count)
            #expect(Set(rhythm[.use].joined()) == Set(inDay.map { $0 - start }))
        }
        let all = MinutesOfUse(masks, in: start..<end)
        check(all, truth.values.reduce(into: []) { $0.formUnion($1) })
        for app in Self.apps {
            check(MinutesOfUse(masks.filter { $0.app == app }, in: start..<end), truth[app] ?? [])
        }
        var ledger = UsageLedger()
        ledger.join(masks)
        #expect(ledger.minutes(of: me, in: Self.instant(start)..<Self.instant(end)) == all.count)
    }

    /// Device by device and hour by hour: minutes of a less exact source count only before the more exact one's first
    /// minute.
    private static func minutes(of app: String, _ masks: [HourMask]) -> Set<Int> {
        var all: Set<Int> = []
        for cell in Dictionary(
            grouping: masks.filter { $0.app == app }, by: { [Int($0.device.rawValue), $0.hour] }
        )
        .values {
            var first = Int.max
            for mask in cell.sorted(by: { $0.source > $1.source }) {
                let used = (0..<60).filter { mask.minutes & 1 << UInt64($0) != 0 && $0 < first }
                first = used.first ?? first
                all.formUnion(used.map { mask.hour * 60 + $0 })
            }
        }
        return all
    }

    @Test("Two more apps on one device are just as exact: masks of 18, 12 and 16 minutes give 35, not 19")
    func severalApps() {
        func mask(_ app: String, _ minutes: Range<Int>) -> HourMask {
            HourMask(
                person: me, device: phone, app: app, hour: Self.base.hour, source: .dns,
                minutes: HourMask.bits(of: minutes, in: 0))
        }
        let masks = [mask("tiktok", 0..<18), mask("youtube", 12..<24), mask("gmail", 19..<35)]
        let use = MinutesOfUse(masks, in: Self.base..<Self.base + 1_440)
        #expect(use.count == 35 && use.spans == [Self.base..<Self.base + 35])
    }

    @Test("Nine days are kept, and nothing of people who are gone")
    func pruning() {
        var ledger = UsageLedger()
        ledger.apply(Self.change(me, phone, "tiktok", Self.base...Self.base + 9))
        ledger.apply(Self.change(kid, tablet, "tiktok", Self.base...Self.base + 9))
        ledger.follow([me])
        ledger.forget(at: Self.instant(Self.base + 9 * 1_440), isSynchronised: true)
        let all = Self.instant(Self.base)..<Self.instant(Self.base + 60)
        #expect(ledger.minutes(of: me, in: all) == 10)
        #expect(ledger.minutes(of: kid, in: all) == 0)
        let later = Self.instant(Self.base + 9 * 1_440 + 60)
        ledger.forget(at: later, isSynchronised: false)
        #expect(ledger.minutes(of: me, in: all) == 10)
        ledger.forget(at: later, isSynchronised: true)
        #expect(ledger.minutes(of: me, in: all) == 0)
    }

    @Test("By a clock that is not synchronised the last 432 hours with any use stay")
    func byCount() {
        var ledger = UsageLedger()
        for hour in 0..<433 {
            ledger.apply(Self.change(me, phone, "tiktok", Self.base + hour * 60...Self.base + hour * 60))
        }
        ledger.forget(at: Self.instant(Self.base + 432 * 60), isSynchronised: false)
        func minutes(_ hour: Int) -> Int {
            ledger.minutes(
                of: me,
                in: Self.instant(Self.base + hour * 60)..<Self.instant(Self.base + hour * 60 + 60))
        }
        #expect(minutes(0) == 0 && minutes(1) == 1 && minutes(432) == 1)
    }
}
