import Foundation
import Testing

@testable import Policy

@Suite struct LimitCommandTests {
    @Test(
        "A-08: whole minutes from 1 to 1440 a day, to 10080 a week",
        arguments: [
            (1, nil, nil, nil), (1_440, nil, 10_080, nil), (30, 1, 1, nil), (0, nil, nil, .limitOutOfRange),
            (-1, nil, nil, .limitOutOfRange), (1_441, nil, nil, .limitOutOfRange),
            (1_000_000_000, nil, nil, .limitOutOfRange), (30, 0, nil, .limitOutOfRange),
            (30, 1_441, nil, .limitOutOfRange), (30, nil, 0, .weeklyOutOfRange),
            (30, nil, 10_081, .weeklyOutOfRange), (30, nil, -5, .weeklyOutOfRange),
        ] as [(Int, Int?, Int?, Refusal?)])
    func ranges(_ minutes: Int, _ sunday: Int?, _ weekly: Int?, _ refusal: Refusal?) throws {
        var household = home()
        let limit = UsageLimit(
            id: UUID(), target: .app("tiktok"), minutes: minutes,
            minutesByDay: sunday.map { [.sun: $0] } ?? [:],
            weeklyMinutes: weekly)
        let before = household
        if let refusal {
            #expect(throws: refusal) {
                try household.setLimit(
                    me, limit, catalog: smallCatalog, change: UUID(), at: at("2026-11-18T10:00:00Z"))
            }
            #expect(household == before)
        } else {
            try household.setLimit(
                me, limit, catalog: smallCatalog, change: UUID(), at: at("2026-11-18T10:00:00Z"))
            #expect(household[person: me]?.limits.list == [limit])
        }
    }

    @Test("TH-006: an app or a category that exists, own apps and their shelf among them")
    func targets() throws {
        var house = try LimitedHouse()
        let own = try house.household.addOwnApp(name: "Games", domains: ["games.example"], at: house.now)
        for target in [.app(own.id), .category("own"), .app("tiktok"), .category("social")] as [LimitTarget] {
            #expect(try house.set(target, 30) == .now)
        }
        for target in [.app("gone"), .category("gone"), .app("social"), .category("tiktok")] as [LimitTarget]
        {
            #expect(throws: Refusal.unknownTarget) { try house.set(target, 30) }
        }
        #expect(house.limits.list.count == 4)
        // An app that is removed from the catalog takes its limit with it.
        try house.household.removeOwnApp(own.id)
        #expect(house.limits.list.map(\.target) == [.category("own"), .app("tiktok"), .category("social")])
    }

    @Test("One limit per target; a new one replaces it and keeps its id")
    func replaces() throws {
        var house = try LimitedHouse([(.app("tiktok"), 30), (.category("social"), 60)])
        let ids = house.limits.list.map(\.id)
        try house.set(.app("tiktok"), 20, weekly: 100)
        #expect(house.limits.list.map(\.id) == ids)
        #expect(house.limits.list.map(\.minutes) == [20, 60])
        #expect(house.limits.list[0].weeklyMinutes == 100)
        try house.household.removeLimit(me, limit: ids[0], change: UUID(), at: house.now)
        #expect(house.limits.list.map(\.id) == [ids[1]])
        #expect(throws: Refusal.unknownLimit) {
            try house.household.removeLimit(me, limit: ids[0], change: UUID(), at: house.now)
        }
        #expect(throws: Refusal.unknownLimit, "another person's") {
            try house.household.removeLimit(kid, limit: ids[1], change: UUID(), at: house.now)
        }
    }

    @Test func settingsAreChecked() throws {
        var household = home()
        let (change, now) = (UUID(), at("2026-11-18T10:00:00Z"))
        for hour in [0, 23] { try household.setResetHour(me, to: hour, change: change, at: now) }
        for hour in [-1, 24, Int.max] {
            #expect(throws: Refusal.resetHourOutOfRange) {
                try household.setResetHour(me, to: hour, change: change, at: now)
            }
        }
        for count in [nil, 0, 1_000] {
            try household.setUnlocksPerDay(me, to: count, change: change, at: now)
        }
        for count in [-1, 1_001] {
            #expect(throws: Refusal.unlocksOutOfRange) {
                try household.setUnlocksPerDay(me, to: count, change: change, at: now)
            }
        }
        for hours in [0, 8, 24] { try household.setLooseningDelay(me, hours: hours, change: change, at: now) }
        for hours in [-8, 1, 25] {
            #expect(throws: Refusal.unknownDelay) {
                try household.setLooseningDelay(me, hours: hours, change: change, at: now)
            }
        }
        #expect(household[person: me]?.limits.resetHour == 23)
        #expect(household[person: me]?.limits.unlocksPerDay == 1_000)
        #expect(household[person: me]?.looseningDelay == 24)
    }

    @Test("Loosening waits and can be taken back; tightening acts at once and drops what waited")
    func delayed() throws {
        var house = try LimitedHouse([(.app("tiktok"), 30)])
        house.use(.app("tiktok"), 30)
        try house.household.setLooseningDelay(me, hours: 8, change: UUID(), at: house.now)
        let due = house.now + 8 * 3_600
        #expect(try house.set(.app("tiktok"), 60) == .at(due))
        #expect(house.isBlocked("tiktok.com"))
        #expect(house.household.evaluate(at: house.now)[me]?.validUntil == due)
        let waiting = try #require(house.household[person: me]?.pending.first)
        try house.household.dropPending(me, change: waiting.id)
        try house.household.dropPending(me, change: waiting.id)
        #expect(house.household[person: me]?.pending == [])
        #expect(
            try house.household.removeLimit(me, limit: house.limits.list[0].id, change: UUID(), at: house.now)
                == .at(due))
        house.now = due - 0.001
        house.settle()
        #expect(house.isBlocked("tiktok.com"))
        house.wait(0.001)
        #expect(!house.isBlocked("tiktok.com"))
        #expect(house.limits.list.isEmpty && house.limits.reached.isEmpty)
    }
}
