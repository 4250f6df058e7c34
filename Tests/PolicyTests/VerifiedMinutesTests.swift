import Foundation
import Testing

@testable import Policy

/// Discipline Dungeon's day: its date, its length, what counts, and what may be uploaded.
@Suite struct VerifiedMinutesTests {
    static let catalog = Catalog(
        categories: [Category(id: "learning", name: "Learning"), Category(id: "social", name: "Social")],
        apps: [
            App(id: "duolingo", name: "Duolingo", category: "learning", suffixes: ["duolingo.com"]),
            App(id: "khan", name: "Khan Academy", category: "learning", suffixes: ["khanacademy.org"]),
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]),
        ], alwaysReachable: [])

    /// Everything on the shelf for learning is productive.
    static func house(_ selection: AppSelection = AppSelection(categories: ["learning"])) throws -> Household
    {
        var household = home(zone: "Europe/Berlin")
        try household.saveProductive(me, selection, catalog: catalog)
        return household
    }

    private static func used(
        _ app: String, from start: String, minutes: Int, on device: DeviceID = phone,
        source: UsageSource = .dns,
        in ledger: inout UsageLedger
    ) {
        let first = Int(at(start).timeIntervalSince1970) / 60
        let range = first...first + minutes - 1
        ledger.apply(
            UsageChange(device: device, person: me, app: app, range: range, minutes: [range]), source: source)
    }

    @Test(
        "DD-033: yesterday is a calendar day of 23, 24 or 25 hours in the chosen zone",
        arguments: [
            ("2026-03-30T09:00:00Z", "Europe/Berlin", "2026-03-29", 23.0),
            ("2026-10-26T09:00:00Z", "Europe/Berlin", "2026-10-25", 25),
            ("2026-11-21T23:30:00Z", "Europe/Berlin", "2026-11-21", 24),
            ("2026-11-21T22:30:00Z", "Europe/Berlin", "2026-11-20", 24),
            ("2025-12-18T10:30:00Z", "America/New_York", "2025-12-17", 24),
            ("2026-11-02T12:00:00Z", "America/New_York", "2026-11-01", 25),
            ("2026-04-05T12:00:00Z", "Australia/Lord_Howe", "2026-04-04", 24),
            ("2026-04-06T12:00:00Z", "Australia/Lord_Howe", "2026-04-05", 24.5),
            ("2026-01-01T00:00:00Z", "UTC", "2025-12-31", 24),
        ])
    func interval(_ now: String, _ name: String, _ yesterday: String, _ hours: Double) {
        let zone = zone(name)
        #expect(zone.yesterday(at: at(now)) == day(yesterday))
        let interval = zone.interval(of: day(yesterday))
        #expect(interval.upperBound.timeIntervalSince(interval.lowerBound) == hours * 3600)
        #expect(zone.date(of: interval.lowerBound) == day(yesterday))
        #expect(zone.date(of: interval.upperBound - 1) == day(yesterday))
    }

    @Test(
        "A whole 25-hour day has 1,500 minutes, a 23-hour day 1,380, and neighbouring days do not count")
    func wholeDays() throws {
        for (date, minutes) in [("2026-10-25", 1_500), ("2026-03-29", 1_380), ("2026-06-01", 1_440)] {
            var household = try Self.house()
            var ledger = UsageLedger()
            let start = zone("Europe/Berlin").dayStart(day(date)) - 3600
            Self.used("khan", from: start.formatted(.iso8601), minutes: 1_700, in: &ledger)
            let morning = zone("Europe/Berlin").dayStart(day(date).adding(days: 1)) + 3600
            try household.stageComputation(me, at: morning)
            household.compute(from: ledger, catalog: Self.catalog, at: morning)
            #expect(household.people[0].verified.snapshot?.verifiedMinutes == minutes, "\(date)")
        }
    }

    @Test("DD-008, DD-034: apps, categories and domains count, each minute once, on all devices together")
    func union() throws {
        var household = try Self.house(
            AppSelection(apps: ["khan"], domains: ["www.duolingo.com", "nobody.example"]))
        var ledger = UsageLedger()
        Self.used("khan", from: "2026-11-20T10:00:00Z", minutes: 30, in: &ledger)
        Self.used("duolingo", from: "2026-11-20T10:20:00Z", minutes: 20, on: tablet, in: &ledger)
        Self.used("tiktok", from: "2026-11-20T11:00:00Z", minutes: 60, in: &ledger)
        // A domain without an app, and a name below it that another person's choice counted: 10:25 to 10:45.
        Self.used("nobody.example", from: "2026-11-20T10:25:00Z", minutes: 10, in: &ledger)
        Self.used("a.nobody.example", from: "2026-11-20T10:35:00Z", minutes: 10, on: tablet, in: &ledger)
        Self.used("notnobody.example", from: "2026-11-20T12:00:00Z", minutes: 10, in: &ledger)
        // The gateway saw less than DNS guessed, but it is more exact.
        Self.used("khan", from: "2026-11-20T10:00:00Z", minutes: 25, source: .gateway, in: &ledger)
        let now = at("2026-11-21T08:00:00Z")
        try household.stageComputation(me, at: now)
        household.compute(from: ledger, catalog: Self.catalog, at: now)
        #expect(household.people[0].verified.snapshot?.verifiedMinutes == 45)
    }

    @Test(
        "DD-034: a domain without an app counts by itself, together with an app below it")
    func domains() {
        let counting = Self.catalog.counting(["www.duolingo.com", "nobody.example", "org"])
        #expect(counting.app(owning: "x.nobody.example")?.id == "nobody.example")
        #expect(counting.app(owning: "www.duolingo.com")?.id == "duolingo")
        #expect(counting.app(owning: "khanacademy.org")?.id == "khan")
        #expect(Self.catalog.countedApps(in: AppSelection(domains: ["org"])) == ["khan"])
    }

    @Test("DD-031, DD-007, DD-012, DD-013: staged, invoked, answered and completed, in that order; once")
    func order() throws {
        var household = try Self.house()
        let now = at("2026-11-21T08:00:00Z")
        #expect(household.people[0].verified.progress(at: now, in: zone("Europe/Berlin")) == .nothing)
        let request = try household.stageComputation(me, at: now)
        #expect(request == ScreenTimeComputationRequest(date: day("2026-11-20"), timezone: "Europe/Berlin"))
        #expect(household.awaitsVerifiedMinutes)
        #expect(household.people[0].verified.progress(at: now + 10, in: zone("Europe/Berlin")) == .computing)
        #expect(household.people[0].verified.progress(at: now + 11, in: zone("Europe/Berlin")) == .overdue)
        household.beginComputation(at: now + 1)
        household.compute(from: UsageLedger(), catalog: Self.catalog, at: now + 2)
        let verified = household.people[0].verified
        #expect(!household.awaitsVerifiedMinutes)
        #expect(verified.invokedAt == now + 1)
        #expect(verified.completedAt == now + 2)
        #expect(
            verified.progress(at: now + 3, in: zone("Europe/Berlin"))
                == .done(
                    ScreenTimeSnapshot(
                        date: day("2026-11-20"), timezone: "Europe/Berlin", verifiedMinutes: 0,
                        computedAt: now + 2)))
        household.compute(from: UsageLedger(), catalog: Self.catalog, at: now + 9)
        #expect(household.people[0].verified == verified)
    }

    @Test("DD-071: a result for another zone is neither shown nor uploaded, and is computed again")
    func noMixing() throws {
        var household = try Self.house()
        var ledger = UsageLedger()
        // Noon to 12:30 on the 20th in Berlin; the evening of the 20th in Tokyo.
        Self.used("khan", from: "2026-11-20T11:00:00Z", minutes: 30, in: &ledger)
        let evening = at("2026-11-21T22:00:00Z")
        try household.stageComputation(me, at: evening)
        try household.setVerifiedTimeZone(me, to: "Asia/Tokyo")
        household.compute(from: ledger, catalog: Self.catalog, at: evening)
        #expect(household.people[0].verified.snapshot?.timezone == "Europe/Berlin")
        // In Tokyo it is already the 22nd.
        #expect(throws: Refusal.computedForAnotherDay(day("2026-11-20"), day("2026-11-21"))) {
            try household.verifiedUpload(of: me, at: evening)
        }
        // London has the same yesterday, but it is another zone.
        try household.setVerifiedTimeZone(me, to: "Europe/London")
        #expect(throws: Refusal.nothingComputed) { try household.verifiedUpload(of: me, at: evening) }
        #expect(household.people[0].verified.progress(at: evening, in: zone("Europe/London")) == .computing)
        #expect(household.awaitsVerifiedMinutes)
        household.beginComputation(at: evening)
        household.compute(from: ledger, catalog: Self.catalog, at: evening)
        let upload = try household.verifiedUpload(of: me, at: evening)
        #expect(upload.timezone == "Europe/London" && upload.verifiedMinutes == 30)
        #expect(!household.awaitsVerifiedMinutes)
        #expect(throws: Refusal.computedForAnotherDay(day("2026-11-20"), day("2026-11-21"))) {
            try household.verifiedUpload(of: me, at: evening + 2 * 3600)
        }
    }

    @Test("DD-071: the same with the household's zone; without productive apps there is no request")
    func householdsZone() throws {
        var household = try Self.house()
        let now = at("2026-11-21T08:00:00Z")
        try household.stageComputation(me, at: now)
        household.compute(from: UsageLedger(), catalog: Self.catalog, at: now)
        try household.setTimeZone("America/New_York", at: now)
        #expect(household.awaitsVerifiedMinutes)
        try household.saveProductive(me, AppSelection(), catalog: Self.catalog)
        #expect(!household.awaitsVerifiedMinutes)
        #expect(household.people[0].verified.progress(at: now, in: zone("America/New_York")) == .nothing)
    }

    @Test(
        "DD-043: without a selection nothing is computed, uploaded or synced; unknown people and zones are refused"
    )
    func refusals() throws {
        var household = home()
        let now = at("2026-11-21T08:00:00Z")
        #expect(throws: Refusal.nothingProductive) { try household.stageComputation(me, at: now) }
        #expect(throws: Refusal.nothingProductive) { try household.verifiedConnection(of: me) }
        #expect(throws: Refusal.nothingComputed) { try household.verifiedUpload(of: me, at: now) }
        #expect(throws: Refusal.unknownZone) { try household.setVerifiedTimeZone(me, to: "PST") }
        #expect(throws: Refusal.unknownPerson) {
            try household.stageComputation(PersonID(rawValue: 9), at: now)
        }
        #expect(throws: Refusal.unknownIDs(["nosuch"])) {
            try household.saveProductive(me, AppSelection(apps: ["nosuch"]), catalog: Self.catalog)
        }
    }

    @Test("DD-001, C-01: productive apps block nothing and share nothing with other choices")
    func blocksNothing() throws {
        let before = home()
        let after = try Self.house()
        let now = at("2026-11-21T08:00:00Z")
        #expect(before.evaluate(at: now)[me] == after.evaluate(at: now)[me])
        #expect(after.people[0].allowed == before.people[0].allowed)
        #expect(after.people[0].antiRot == before.people[0].antiRot)
    }

    @Test("A removed own app is no longer productive, and its id stays taken while a selection holds it")
    func ownApps() throws {
        var household = home()
        let now = at("2026-11-21T08:00:00Z")
        let app = try household.addOwnApp(name: "Library", domains: ["library.example.org"], at: now)
        try household.saveProductive(me, AppSelection(apps: [app.id]), catalog: Self.catalog)
        try household.removeOwnApp(app.id)
        #expect(household.people[0].verified.productive == AppSelection())
    }
}
