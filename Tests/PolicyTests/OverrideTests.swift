import Foundation
import Testing

@testable import Policy

@Suite struct OverrideTests {
    private static let lunch = window("12:00", "13:00", "Lunch")

    private func house(at now: String, zone: String = "UTC", _ windows: [TimeWindow] = [Self.lunch]) -> House
    {
        var household = home(zone: zone)
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]), windows: windows)
        return House(household, at: now)
    }

    @Test("AR-037, AR-038, AR-042: it opens for exactly 2700 s and keeps when it was used")
    func opens() throws {
        var house = house(at: "2026-11-20T15:00:07Z")
        #expect(house.isBlocked)
        try house.eat()
        #expect(!house.isBlocked && house.antiRot.override.end(at: house.now) == at("2026-11-20T15:45:07Z"))
        #expect(house.verdict.validUntil == at("2026-11-20T15:45:07Z"))
        #expect(house.verdict.nextBlock == at("2026-11-20T15:45:07Z"))
        house.wait(2_699)
        #expect(!house.isBlocked && house.antiRot.override.end(at: house.now) != nil)
        house.wait(1)
        #expect(house.isBlocked && house.antiRot.override.end(at: house.now) == nil)
        #expect(house.verdict.blocks.first?.since == at("2026-11-20T15:45:07Z"))
        #expect(
            house.antiRot.override
                == OverrideState(lastUsedDate: at("2026-11-20T15:00:07Z"), overrideExpiresAt: nil))
    }

    @Test("AR-036, AR-044: once per calendar day in the household's zone, whatever the length of the day")
    func oncePerDay() throws {
        // 25 October 2026 has 25 hours in Berlin: 00:30 and 23:30 are 24 hours apart and one day.
        var house = house(at: "2026-10-24T22:30:00Z", zone: "Europe/Berlin")
        try house.eat()
        #expect(throws: Refusal.overrideUsed) { try house.eat() }
        house.go(to: "2026-10-25T22:59:59Z")
        #expect(throws: Refusal.overrideUsed) { try house.eat() }
        #expect(house.verdict.validUntil == at("2026-10-25T23:00:00Z"), "midnight gives it back")
        house.go(to: "2026-10-25T23:00:00Z")
        #expect(house.antiRot.override.isAvailable(at: house.now, in: house.household.zone))
        try house.eat()
        #expect(!house.isBlocked)
    }

    @Test("AR-045: of 50 presses, one counts")
    func raced() {
        var house = house(at: "2026-11-20T15:00:00Z")
        let taken = (0..<50).filter { _ in (try? house.eat()) != nil }
        #expect(taken.count == 1)
    }

    @Test("A-16: it can be pressed while the apps are open, and uses up the day's press")
    func whileAllowed() throws {
        var house = house(at: "2026-11-20T12:30:00Z")
        try house.eat()
        #expect(house.status.until == at("2026-11-20T13:15:00Z"))
        house.go(to: "2026-11-20T13:14:59Z")
        #expect(!house.isBlocked, "C-16 b: a blocked period that begins does not cut it short")
        house.go(to: "2026-11-20T13:15:00Z")
        #expect(house.isBlocked)
        #expect(throws: Refusal.overrideUsed) { try house.eat() }
    }

    @Test("A-16: where nothing is configured, it spends nothing and says why")
    func ofNothing() throws {
        for antiRot in [
            AntiRot(), AntiRot(windows: [Self.lunch]), AntiRot(restricted: AppSelection(apps: ["tiktok"])),
            AntiRot(restricted: AppSelection(), windows: []),
        ] {
            var house = house(at: "2026-11-20T15:00:00Z")
            house.household.people[0].antiRot = antiRot
            #expect(throws: Refusal.overrideOfNothing) { try house.eat() }
            #expect(house.antiRot == antiRot, "today's press is still there")
        }
    }

    @Test("C-16 a: an override that ends within a window leaves it open, and the one that touches it")
    func endsWithinAWindow() throws {
        var house = house(at: "2026-11-20T11:30:00Z", [Self.lunch, window("13:00", "14:00")])
        try house.eat()
        #expect(house.status.until == at("2026-11-20T14:00:00Z"))
        #expect(house.status.overrideEnd == at("2026-11-20T12:15:00Z"))
        house.go(to: "2026-11-20T12:15:00Z")
        #expect(!house.isBlocked && house.status.overrideEnd == nil)
        house.go(to: "2026-11-20T14:00:00Z")
        #expect(house.isBlocked)
    }

    @Test(
        "C-16 c, d, AR-041: windows and apps changed during it neither end nor lengthen it; afterwards they hold"
    )
    func changedMeanwhile() throws {
        var house = house(at: "2026-11-20T15:00:00Z")
        try house.eat()
        try house.change { try $0.saveWindows(me, [], confirmed: true, change: UUID(), at: $1) }
        try house.change {
            try $0.saveRestricted(me, ["reddit"], catalog: fewApps, change: UUID(), at: $1)
        }
        #expect(!house.isBlocked)
        house.go(to: "2026-11-20T15:44:59Z")
        #expect(!house.isBlocked)
        house.go(to: "2026-11-20T15:45:00Z")
        #expect(house.verdict.blocks.map(\.scope) == [.only(AppSelection(apps: ["reddit"]))])
    }

    @Test("A-25: an override across midnight is the only one until it ends, and then a new day counts")
    func acrossMidnight() throws {
        var house = house(at: "2026-11-20T23:45:00Z")
        try house.eat()
        house.go(to: "2026-11-21T00:10:00Z")
        #expect(!house.isBlocked)
        #expect(!house.antiRot.override.isAvailable(at: house.now, in: .utc))
        #expect(throws: Refusal.overrideRunning) { try house.eat() }
        house.go(to: "2026-11-21T00:30:00Z")
        #expect(house.isBlocked)
        try house.eat()
        #expect(!house.isBlocked)
    }

    @Test("A clock that goes back over midnight cancels no override, and makes none longer than 45 minutes")
    func backOverMidnight() throws {
        var house = house(at: "2026-11-21T00:05:00Z")
        try house.eat()
        house.go(to: "2026-11-20T23:55:00Z")
        #expect(!house.isBlocked)
        #expect(house.status.overrideEnd == at("2026-11-21T00:40:00Z"))
        #expect(throws: Refusal.overrideRunning) { try house.eat() }
        house.go(to: "2026-11-21T00:40:00Z")
        #expect(house.isBlocked)
        #expect(throws: Refusal.overrideUsed) { try house.eat() }
    }

    @Test("A clock that goes forward over midnight ends it, and the new day has its own")
    func forwardOverMidnight() throws {
        var house = house(at: "2026-11-20T23:55:00Z")
        try house.eat()
        house.go(to: "2026-11-21T09:00:00Z")
        #expect(house.isBlocked)
        try house.eat()
        #expect(!house.isBlocked)
    }

    @Test("An override from a clock that was years ahead does not count, and leaves today's unused")
    func fromTheFuture() throws {
        var house = house(at: "2031-01-01T15:00:00Z")
        try house.eat()
        house.go(to: "2026-11-20T15:00:00Z")
        #expect(house.isBlocked && house.antiRot.override.overrideExpiresAt == nil)
        try house.eat()
        #expect(!house.isBlocked)
    }

    @Test("C-04: it lifts only its own layer")
    func ownLayerOnly() throws {
        var house = house(at: "2026-11-20T15:00:00Z")
        try house.start(60, .strict)
        #expect(house.verdict.blocks.map(\.layer) == [.sleep, .windows])
        try house.eat()
        #expect(house.verdict.blocks.map(\.layer) == [.sleep])
        #expect(house.household.evaluate(at: house.now)[kid]?.blocks == [])
    }
}

extension House {
    fileprivate var antiRot: AntiRot { household.people[0].antiRot }
    fileprivate var status: AntiRot.Status {
        household.people[0].windowsStatus(at: now, in: household.zone)
    }
    fileprivate var isBlocked: Bool { verdict.blocks.contains { $0.layer == .windows } }

    fileprivate mutating func eat() throws { try change { try $0.activateOverride(me, at: $1) } }
}
