import Foundation
import Testing

@testable import Policy

/// Several sets of apps, each with windows of its own; 2026-11-20 is a Friday.
@Suite struct WindowSetsTests {
    private let now = at("2026-11-20T10:00:00Z")
    private let games = UUID()

    /// TikTok and Reddit at lunch; everything social and Reddit in the evening.
    private func mine(waits hours: Int = 0) -> Household {
        var household = home()
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok", "reddit"]), windows: [window("12:00", "13:00")],
            otherSets: [evening])
        household.people[0].looseningDelay = hours
        return household
    }

    private var evening: WindowSet {
        WindowSet(
            id: games, name: "Evening", restricted: AppSelection(apps: ["reddit"], categories: ["games"]),
            windows: [window("12:30", "14:00"), window("20:00", "21:00")])
    }

    private let catalog = Catalog(
        categories: [Category(id: "social", name: "Social"), Category(id: "games", name: "Games")],
        apps: [("tiktok", "social"), ("reddit", "social"), ("roblox", "games")].map { id, category in
            App(id: id, name: id, category: category, suffixes: ["\(id).com"])
        }, alwaysReachable: [])

    private func verdict(_ name: String, _ instant: String, _ household: Household) -> NameVerdict {
        let now = at(instant)
        let snapshot = Snapshot(
            revision: 1, instant: now, household: household, catalog: catalog,
            verdicts: household.evaluate(at: now))
        return snapshot.told(snapshot.verdict(of: name, person: me), of: name)
    }

    @Test(
        "UR-016: each app goes by its own set, and what is in two is open while both are",
        arguments: [
            ("12:15", ["tiktok"]), ("12:45", ["tiktok", "reddit", "roblox"]), ("13:30", ["roblox"]),
            ("20:30", ["roblox"]), ("22:00", []),
        ])
    func open(_ time: String, _ open: [String]) {
        let household = mine()
        let found = ["tiktok", "reddit", "roblox"].filter {
            verdict("\($0).com", "2026-11-20T\(time):00Z", household).block == nil
        }
        #expect(found == open)
    }

    @Test("It says until when the last of its sets opens, and no time if they are never open together")
    func until() {
        var household = mine()
        let block = verdict("reddit.com", "2026-11-20T20:30:00Z", household).block
        #expect(block?.layer == .windows && block?.until == at("2026-11-21T12:30:00Z"))
        #expect(
            verdict("tiktok.com", "2026-11-20T20:30:00Z", household).block?.until
                == at("2026-11-21T12:00:00Z"))
        household.people[0].antiRot.otherSets[0].windows = [window("20:00", "21:00")]
        let never = verdict("reddit.com", "2026-11-20T20:30:00Z", household).block
        #expect(never?.layer == .windows && never?.until == nil)
    }

    @Test("One “I'm Eating” a day opens all sets, and counts for all")
    func override() throws {
        var household = mine()
        try household.activateOverride(me, at: at("2026-11-20T15:00:00Z"))
        for name in ["tiktok.com", "reddit.com", "roblox.com"] {
            #expect(verdict(name, "2026-11-20T15:44:59Z", household).block == nil)
            #expect(verdict(name, "2026-11-20T15:45:00Z", household).block?.layer == .windows)
        }
        #expect(throws: Refusal.overrideUsed) {
            try household.activateOverride(me, at: at("2026-11-20T16:00:00Z"))
        }
    }

    @Test("A set without apps or windows blocks nothing; one without any window blocks all day")
    func configured() throws {
        var household = home()
        try household.addWindowSet(me, WindowSet(id: games, name: "  Games "))
        #expect(household.people[0].antiRot.otherSets[0].name == "Games")
        #expect(!household.people[0].antiRot.isConfigured)
        try household.saveRestricted(
            me, AppSelection(categories: ["games"]), of: games, catalog: catalog, change: UUID(), at: now)
        #expect(verdict("roblox.com", "2026-11-20T10:00:00Z", household).block == nil)
        #expect(throws: Refusal.emptyScheduleUnconfirmed) {
            try household.saveWindows(me, [], of: games, confirmed: false, change: UUID(), at: now)
        }
        try household.saveWindows(me, [], of: games, confirmed: true, change: UUID(), at: now)
        #expect(verdict("roblox.com", "2026-11-20T10:00:00Z", household).block?.layer == .windows)
        #expect(household.people[0].antiRot.isConfigured)
        let status = household.people[0].windowsStatus(at: now, in: .utc)
        #expect(status.isBlocked && status.until == nil)
    }

    @Test("A wider window, an app less and no set at all wait; what is stricter holds at once")
    func waits() throws {
        var household = mine(waits: 24)
        let tomorrow = now.addingTimeInterval(86_400)
        let (wider, narrower) = (window("19:00", "22:00"), window("20:00", "20:30"))
        #expect(
            try household.saveWindows(me, [wider], of: games, confirmed: true, change: UUID(), at: now)
                == .at(tomorrow))
        #expect(household.people[0].plannedWindows(of: games) == [wider])
        #expect(household.people[0].plannedWindows?.map(\.times) == ["12:00–13:00"])
        #expect(
            try household.saveWindows(me, [narrower], of: games, confirmed: true, change: UUID(), at: now)
                == .now)
        let fewer = AppSelection(apps: ["reddit"])
        #expect(
            try household.saveRestricted(me, fewer, of: games, catalog: catalog, change: UUID(), at: now)
                == .at(tomorrow))
        let more = AppSelection(apps: ["reddit", "tiktok"], categories: ["games"])
        #expect(
            try household.saveRestricted(me, more, of: games, catalog: catalog, change: UUID(), at: now)
                == .now)
        _ = try household.saveWindows(me, [wider], of: games, confirmed: true, change: UUID(), at: now)
        #expect(try household.removeWindowSet(me, set: games, change: UUID(), at: now) == .at(tomorrow))
        #expect(household.people[0].antiRot.otherSets.count == 1)
        household.people[0].settlePending(at: tomorrow)
        #expect(household.people[0].antiRot.otherSets.isEmpty && household.people[0].pending.isEmpty)
    }

    @Test("A set that is removed can be had back as it was, and a waiting change makes none again")
    func removed() throws {
        var household = mine()
        #expect(try household.removeWindowSet(me, set: games, change: UUID(), at: now) == .now)
        #expect(verdict("roblox.com", "2026-11-20T10:00:00Z", household).block == nil)
        household.people[0].apply(.windows([], in: games))
        #expect(household.people[0].antiRot.otherSets.isEmpty)
        let was = evening
        try household.addWindowSet(me, was)
        #expect(household.people[0].antiRot.otherSets == [was])
        #expect(throws: Refusal.unknownWindowSet) { try household.addWindowSet(me, was) }
        #expect(throws: Refusal.unknownWindowSet) {
            try household.removeWindowSet(me, set: UUID(), change: UUID(), at: now)
        }
        #expect(throws: Refusal.nameMissing) { try household.renameWindowSet(me, set: games, to: " ") }
        #expect(throws: Refusal.appsOnly) {
            try household.saveRestricted(
                me, AppSelection(domains: ["a.example"]), of: games, catalog: catalog, change: UUID(), at: now
            )
        }
    }

    @Test func thereIsAnEndToThem() throws {
        var household = home()
        for number in 1...WindowSet.maximumCount {
            try household.addWindowSet(me, WindowSet(id: UUID(), name: "More \(number)"))
        }
        #expect(throws: Refusal.tooManyWindowSets) {
            try household.addWindowSet(me, WindowSet(id: UUID(), name: "More"))
        }
    }

    @Test("No two sets of a person have names that look alike, and two may change theirs with each other")
    func namesAreOnesOwn() throws {
        var household = home()
        let games = WindowSet(id: UUID(), name: "Games")
        let school = WindowSet(id: UUID(), name: "School")
        try household.addWindowSet(me, games)
        try household.addWindowSet(me, school)
        #expect(throws: Refusal.windowSetNameTaken("Games")) {
            try household.addWindowSet(me, WindowSet(id: UUID(), name: " games "))
        }
        #expect(throws: Refusal.windowSetNameTaken("Games")) {
            try household.renameWindowSet(me, set: school.id!, to: "GAMES")
        }
        try household.renameWindowSet(me, set: games.id!, to: "games")
        try household.saveWindowSets(
            me, [WindowSet(id: games.id, name: "School"), WindowSet(id: school.id, name: "Games")],
            confirmed: true, catalog: catalog, newID: UUID.init, at: now)
        #expect(household.people[0].antiRot.otherSets.map(\.name) == ["School", "Games"])
    }

    @Test("A document has them under a key of its own; without any there is none")
    func documents() throws {
        let person = mine().people[0]
        let json = try JSONEncoder().encode(person.antiRot)
        #expect(try JSONDecoder().decode(AntiRot.self, from: json) == person.antiRot)
        let one = try JSONEncoder().encode(AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: []))
        #expect(!String(decoding: one, as: UTF8.self).contains("otherSets"))
        let old = #"{"restricted":{"_0":{"apps":["tiktok"]}}}"#
        #expect(
            try JSONDecoder().decode(PendingChange.Change.self, from: Data(old.utf8))
                == .restricted(AppSelection(apps: ["tiktok"])))
        let damaged = #"{"otherSets":[{"name":"x","selectedApps":{"apps":["tiktok"]}},3]}"#
        var other = person
        other.antiRot = try JSONDecoder().decode(AntiRot.self, from: Data(damaged.utf8))
        #expect(other.withoutImpossible.antiRot.otherSets.isEmpty)
    }

    @Test("Focus, the day, the log and an own app that goes know all sets")
    func elsewhere() throws {
        var household = mine()
        household.people[0].focus.shieldsWhileFocusing = true
        #expect(
            household.people[0].antiRot.allRestricted
                == AppSelection(apps: ["tiktok", "reddit"], categories: ["games"]))
        let app = try household.addOwnApp(name: "Game", domains: ["game.example"], at: now)
        household.people[0].antiRot.otherSets[0].restricted?.apps.insert(app.id)
        try household.removeOwnApp(app.id)
        #expect(household.people[0].antiRot.otherSets[0].restricted?.apps == ["reddit"])
        let spans = household.people[0].openSpans(on: day("2026-11-20"), in: .utc)
        #expect(
            spans.last.map { $0.lowerBound..<$0.upperBound }
                == at("2026-11-20T12:30:00Z")..<at("2026-11-20T13:00:00Z"))
        let names = household.jobs(at: now).map(\.name)
        #expect(names == ["blocked-period-0", "blocked-period-0 (Evening)"])
    }

    @Test("An exception by date that opens any set's hours loosens")
    func dates() {
        var kim = mine().people[0]
        kim.antiRot.otherSets[0].windows = [window("20:00", "21:00", days: [.fri])]
        let friday = DateException(
            id: UUID(), first: day("2026-11-25"), last: day("2026-11-25"), instead: .weekday(.fri))
        let monday = DateException(
            id: UUID(), first: day("2026-11-27"), last: day("2026-11-27"), instead: .weekday(.mon))
        #expect(kim.loosens(.dateException(friday)) && !kim.loosens(.dateException(monday)))
    }
}
