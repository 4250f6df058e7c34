import Foundation
import Testing

@testable import Policy

@Suite struct LooseningTests {
    private let now = at("2026-11-20T10:00:00Z")
    private let tomorrow = at("2026-11-21T10:00:00Z")
    private let lunch = window("12:00", "13:00", "Lunch")
    private let dinner = window("18:00", "19:00", "Dinner")
    private let tiktok = LimitTarget.app("tiktok")

    /// Two apps, a lunch window, half an hour of TikTok; loosening waits a day.
    private var kim: Person {
        Person(
            id: kid, name: "Kim",
            antiRot: AntiRot(restricted: AppSelection(apps: ["tiktok", "reddit"]), windows: [lunch]),
            limits: Limits(list: [limit(30)], unlocksPerDay: 3), looseningDelay: 24)
    }

    private func limit(_ minutes: Int, week: Int? = 100, _ byDay: [Weekday: Int] = [:]) -> UsageLimit {
        UsageLimit(id: UUID(), target: tiktok, minutes: minutes, minutesByDay: byDay, weeklyMinutes: week)
    }

    @Test func whatLoosensAndWhatDoesNot() {
        let loosening: [PendingChange.Change] = [
            .restricted(AppSelection(apps: ["tiktok"])), .restricted(AppSelection(apps: ["tiktok", "x"])),
            .windows([lunch, dinner]), .windows([window("12:00", "13:01")]),
            .windows([window("11:59", "12:30")]),
            .windows([dinner]), .limit(limit(31)), .limit(limit(30, week: 101)), .limit(limit(30, week: nil)),
            .limit(limit(10, [.sat: 31])), .removeLimit(tiktok), .resetHour(4), .unlocksPerDay(4),
            .unlocksPerDay(nil), .looseningDelay(hours: 8), .looseningDelay(hours: 0),
        ]
        let tightening: [PendingChange.Change] = [
            .restricted(AppSelection(apps: ["tiktok", "reddit", "x"])), .windows([]), .windows([lunch]),
            .windows([window("12:00", "12:30"), window("12:30", "13:00")]),
            .windows([window("12:10", "12:50", days: [.mon])]), .limit(limit(30)),
            .limit(limit(29, week: 99, [.sat: 30])),
            .limit(UsageLimit(id: UUID(), target: .category("social"), minutes: 1_440)),
            .removeLimit(.app("reddit")), .resetHour(0), .unlocksPerDay(3), .unlocksPerDay(0),
            .looseningDelay(hours: 24),
        ]
        for change in loosening { #expect(kim.loosens(change), "\(change)") }
        for change in tightening { #expect(!kim.loosens(change), "\(change)") }
    }

    @Test("Two windows that touch cover one that spans them, on their weekdays only")
    func covered() {
        var kim = kim
        kim.antiRot.windows = [window("12:00", "13:00"), window("13:00", "14:00", days: [.mon, .tue])]
        #expect(!kim.loosens(.windows([window("12:30", "13:30", days: [.mon])])))
        #expect(kim.loosens(.windows([window("12:30", "13:30", days: [.mon, .wed])])))
    }

    @Test("A first set-up never waits: where nothing is blocked, nothing is loosened")
    func firstSetUp() throws {
        var household = home()
        household.people[0].looseningDelay = 24
        let apps = try household.saveRestricted(me, ["tiktok"], catalog: fewApps, change: UUID(), at: now)
        let other = try household.saveRestricted(me, ["reddit"], catalog: fewApps, change: UUID(), at: now)
        let window = try household.saveWindow(me, lunch, change: UUID(), at: now)
        #expect([apps, other, window] == [.now, .now, .now])
        var person = household.people[0]
        for change: PendingChange.Change in [.limit(limit(60)), .looseningDelay(hours: 24)] {
            #expect(person.make(change, id: UUID(), at: now) == .now)
        }
        var fresh = Person(id: kid, name: "Kim", looseningDelay: 8)
        for change: PendingChange.Change in [.resetHour(4), .unlocksPerDay(9), .looseningDelay(hours: 0)] {
            #expect(fresh.make(change, id: UUID(), at: now) == .now)
        }
        #expect(fresh.looseningDelay == 0 && fresh.pending == [])
    }

    @Test("Loosening waits as long as was chosen, survives restarts, and takes effect to the second")
    func waits() throws {
        var house = House(home(), at: "2026-11-20T10:00:00Z")
        house.household.people[0].antiRot = kim.antiRot
        house.household.people[0].looseningDelay = 24
        let id = UUID()
        let applied = try house.change {
            try $0.saveRestricted(me, ["tiktok"], catalog: fewApps, change: id, at: $1)
        }
        #expect(applied == .at(tomorrow))
        #expect(house.household.people[0].pending.map(\.id) == [id])
        house.go(to: "2026-11-21T09:59:59Z")
        #expect(house.verdict.validUntil == tomorrow)
        #expect(house.verdict.blocks.first?.scope == .only(AppSelection(apps: ["tiktok", "reddit"])))
        house.go(to: tomorrow)
        #expect(house.verdict.blocks.first?.scope == .only(AppSelection(apps: ["tiktok"])))
        #expect(house.household.people[0].pending == [])
    }

    @Test func withoutADelayEverythingHoldsAtOnce() {
        var kim = kim
        kim.looseningDelay = 0
        #expect(kim.make(.removeLimit(tiktok), id: UUID(), at: now) == .now)
        #expect(kim.limits.list == [])
    }

    @Test("A change that tightens one part and loosens another waits as a whole")
    func mixed() {
        var kim = kim
        #expect(kim.make(.windows([dinner]), id: UUID(), at: now) == .at(tomorrow))
        #expect(kim.antiRot.windows == [lunch])
    }

    @Test("The newest wish for a subject counts, even if it acts at once; other subjects keep waiting")
    func replaced() {
        var kim = kim
        _ = kim.make(.limit(limit(60)), id: UUID(), at: now)
        _ = kim.make(.resetHour(4), id: UUID(), at: now)
        _ = kim.make(.removeLimit(tiktok), id: UUID(), at: now.addingTimeInterval(60))
        #expect(kim.pending.map(\.change) == [.resetHour(4), .removeLimit(tiktok)])
        #expect(kim.make(.limit(limit(20)), id: UUID(), at: now.addingTimeInterval(120)) == .now)
        #expect(kim.pending.map(\.change) == [.resetHour(4)])
        #expect(kim.limits.list.map(\.minutes) == [20])
    }

    @Test("A shorter delay itself waits for the old one; later requests fall due in their own order")
    func shorterDelay() {
        var kim = kim
        _ = kim.make(.looseningDelay(hours: 8), id: UUID(), at: now)
        let later = now.addingTimeInterval(23 * 3_600)
        _ = kim.make(.removeLimit(tiktok), id: UUID(), at: later)
        kim.settlePending(at: tomorrow)
        #expect(kim.looseningDelay == 8)
        #expect(
            kim.make(.resetHour(4), id: UUID(), at: tomorrow) == .at(tomorrow.addingTimeInterval(8 * 3_600)))
        #expect(kim.pending.map(\.change) == [.resetHour(4), .removeLimit(tiktok)])
    }

    @Test("A window is added to the waiting change; a removed one goes at once, from both lists")
    func windowsThatWait() throws {
        var household = home()
        household.people[0] = kim
        let supper = window("20:00", "21:00")
        #expect(
            try household.saveWindow(kid, dinner, change: UUID(), at: now) == .at(tomorrow)
        )
        #expect(throws: Refusal.windowsOverlap(dinner)) {
            try household.saveWindow(
                kid, window("18:30", "20:00"), change: UUID(), at: now)
        }
        try household.saveWindow(kid, supper, change: UUID(), at: now)
        #expect(household.people[0].pending.map(\.change) == [.windows([lunch, dinner, supper])])
        #expect(throws: Refusal.emptyScheduleUnconfirmed) {
            try household.removeWindow(kid, window: lunch.id, confirmed: false, change: UUID(), at: now)
        }
        let removed = try household.removeWindow(
            kid, window: lunch.id, confirmed: true, change: UUID(), at: now)
        #expect(removed == .now && household.people[0].antiRot.windows == [])
        #expect(household.people[0].pending.map(\.change) == [.windows([dinner, supper])])
        for window in [dinner, supper] {
            try household.removeWindow(kid, window: window.id, confirmed: false, change: UUID(), at: now)
        }
        #expect(household.people[0].pending == [] && household.people[0].antiRot.windows == [])
    }

    @Test("A clock that was years ahead delays nothing for years")
    func clockAhead() {
        var kim = kim
        _ = kim.make(.removeLimit(tiktok), id: UUID(), at: at("2031-01-01T00:00:00Z"))
        kim.settlePending(at: now)
        #expect(kim.pending.map(\.due) == [tomorrow])
    }

    @Test("Windows, limits and waiting changes forget an own app that is removed")
    func ownApp() throws {
        var household = home()
        household.people[0] = kim
        let app = try household.addOwnApp(name: "Game", domains: ["game.example"], at: now)
        try household.saveRestricted(
            kid, ["tiktok", "reddit", app.id], catalog: fewApps, change: UUID(), at: now)
        try household.saveRestricted(kid, ["tiktok", app.id], catalog: fewApps, change: UUID(), at: now)
        let other = UsageLimit(id: UUID(), target: .app(app.id), minutes: 10)
        _ = household.people[0].make(.limit(other), id: UUID(), at: now)
        _ = household.people[0].make(.removeLimit(.app(app.id)), id: UUID(), at: now)
        // Removing it would open the apps at once: it is possible when nothing waits any more.
        #expect(throws: Refusal.looseningWaits(of: "Kim", hours: 24)) { try household.removeOwnApp(app.id) }
        household.people[0].looseningDelay = 0
        try household.removeOwnApp(app.id)
        #expect(household.people[0].antiRot.restricted?.apps == ["tiktok", "reddit"])
        #expect(household.people[0].limits.list.map(\.target) == [tiktok])
        #expect(
            household.people[0].pending.map(\.change) == [.restricted(AppSelection(apps: ["tiktok"]))])
    }
}
