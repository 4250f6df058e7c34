import Foundation
import Testing

@testable import Policy

/// Who of the people of another DNS server's household is a child, and what of it has no place.
@Suite struct ImportPeopleTests {
    /// Somebody who moves in as an adult could leave, and be free of what was set up for them.
    @Test func whoHasSomethingBlockedIsAChildUnlessSomebodySaysOtherwise() throws {
        let clients = [
            ImportPlanTests.client("tab", domains: ["tiktok.com"], group: "Kids"),
            ImportPlanTests.client("Tom's phone", "aa:bb:cc:00:00:02", services: ["tiktok"]),
            ImportPlanTests.client(
                "Ada's phone", "aa:bb:cc:00:00:03", services: ["tiktok"],
                pauses: Weekday.allCases.map { ImportPlanTests.pause($0, 0, 1_440) }),
            ImportPlanTests.client("tv", "aa:bb:cc:00:00:04", services: ["netflix"], ofTheHouse: true),
        ]
        let proposed = try ImportPlanTests.plan(clients)
        #expect(proposed.people.map(\.name) == ["Kids", "Tom", "Ada", "Shared devices"])
        #expect(proposed.people.map(\.isChild) == [true, true, false, true])
        let foreign = ForeignHousehold(source: .adGuardHome, clients: clients)
        let told = try ImportPlanTests.plan(
            clients, choice: .init(allOf: foreign, adults: ["Tom", "Nobody"]))
        #expect(told.people.map(\.isChild) == [true, false, false, true])
        var house = home()
        try ImportPlanTests.take(told, into: &house)
        #expect(house.people.suffix(4).map(\.role) == [.child, .adult, .adult, .child])
        let tab = try #require(house.devices.first { $0.name == "tab" })
        #expect(throws: Refusal.childrenStay) { try house.leave(tab.id, at: ImportPlanTests.now) }
    }

    @Test func theFamilysDeviceStaysTheFamilys() throws {
        var house = FamilyDeviceTests.house()
        house.devices[2].hardwareAddress = "aa:bb:cc:00:00:04"
        let clients = [ImportPlanTests.client("Tom's tv", "aa:bb:cc:00:00:04", services: ["tiktok"])]
        let plan = house.importPlan(
            of: ForeignHousehold(source: .adGuardHome, clients: clients),
            catalog: try ImportPlanTests.catalog())
        try ImportPlanTests.take(plan, into: &house)
        #expect(house.devices[2].person == nil && house.devices[2].family == FamilyUse(.anyChild))
    }

    @Test func whatBlocksSomebodyAndHasNoPlaceIsSaid() throws {
        let foreign = ForeignHousehold(
            source: .piHole, clients: [],
            unplaced: [
                .init(.house, ["twitter"]), .init(.groupOff, group: "Teens", ["tiktok.com"]),
                .init(.emptyGroup, group: "Guests", ["roblox.com"]), .init(.namesOff, ["reddit.com"]),
                .init(.refused, ["10.0.0.7"]), .init(.only, ["10.0.0.8"]), .init(.house, []),
            ])
        let said = home().importPlan(of: foreign, catalog: try ImportPlanTests.catalog()).notTaken
        #expect(said.count == 6)
        for word in [
            "twitter for the whole house", "“Teens” is switched off", "“Guests” has no client", "reddit.com",
            "refuses 10.0.0.7", "answers only 10.0.0.8",
        ] {
            #expect(said.contains { $0.contains(word) }, "\(word)")
        }
    }
}
