import Foundation
import Testing

@testable import Policy

@Suite("SI-092: a session allows the own apps that existed when it started")
struct OwnAppsInSessionTests {
    private func house(_ nightly: RecurringSchedule? = nil) throws -> House {
        var house = House(home(nightly), at: "2026-11-20T20:00:00Z")
        house.household.people[0].allowed = AppSelection(categories: ["own", "phone"])
        try house.change { try $0.addOwnApp(name: "Radio", domains: ["radio.example"], at: $1) }
        return house
    }

    private func opens(_ name: String, in house: House) -> Bool {
        let catalog = Catalog(categories: [], apps: [], alwaysReachable: [])
        let snapshot = Snapshot(
            revision: 0, instant: house.now, household: house.household,
            catalog: catalog.adding(house.household.ownApps),
            verdicts: house.household.evaluate(at: house.now))
        return snapshot.verdict(of: name, deviceAt: "10.0.0.2").block == nil
    }

    private func addAndRemove(in house: inout House) throws {
        #expect(house.session?.allowed == AppSelection(apps: ["own-radio"], categories: ["phone"]))
        #expect(opens("radio.example", in: house))
        try house.change { try $0.addOwnApp(name: "Feed", domains: ["feed.example"], at: $1) }
        #expect(!opens("feed.example", in: house))
        #expect(opens("radio.example", in: house))
        try house.change { household, _ in try household.removeOwnApp("own-radio") }
        #expect(!opens("radio.example", in: house) && !opens("feed.example", in: house))
        // Another app with the same name.
        try house.change { try $0.addOwnApp(name: "Radio", domains: ["feed.example"], at: $1) }
        #expect(!opens("feed.example", in: house))
        #expect(house.household[person: me]?.allowed.categories == ["own", "phone"], "the choice stays")
    }

    @Test(arguments: StrictnessMode.allCases)
    func manual(_ strictness: StrictnessMode) throws {
        var house = try house()
        try house.start(60, strictness)
        try addAndRemove(in: &house)
        house.wait(3_600)
        try house.start(60, strictness)
        #expect(opens("feed.example", in: house), "the next session has them")
    }

    @Test(arguments: StrictnessMode.allCases)
    func recurring(_ strictness: StrictnessMode) throws {
        var house = try house(schedule("22:00", "07:00", strictness))
        house.go(to: "2026-11-20T22:00:00Z")
        try addAndRemove(in: &house)
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(opens("feed.example", in: house), "the next night has them")
    }
}
