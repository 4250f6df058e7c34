import Directory
import Foundation
import Testing

@testable import Policy

/// What is closed besides rules, so that a child's rules hold.
@Suite struct WaysOutTests {
    private func blocked(_ name: String, in household: Household, at address: String = "10.0.0.3") -> Layer? {
        FamilyDeviceTests.snapshot(household).verdict(of: name, deviceAt: address).block?.layer
    }

    @Test("For a child with any window or limit, VPN sites are closed by day; an adult can open them")
    func byDay() throws {
        var household = home()
        #expect(blocked("www.nordvpn.com", in: household) == nil)
        household.people[1].limits.list = [UsageLimit(id: UUID(), target: .app("video"), minutes: 30)]
        household.people[0].limits.list = household.people[1].limits.list
        #expect(blocked("www.nordvpn.com", in: household) == .windows)
        let told = FamilyDeviceTests.snapshot(household).verdict(of: "www.nordvpn.com", deviceAt: "10.0.0.3")
        #expect(told.block?.isWaysOut == true)
        #expect(blocked("video.example", in: household) == nil)
        #expect(blocked("www.nordvpn.com", in: household, at: "10.0.0.2") == nil, "an adult's")
        household.people[1].looseningDelay = 8
        #expect(throws: Refusal.looseningWaits(of: "Kim", hours: 8)) {
            try household.openWaysOut(of: kid, true, at: FamilyDeviceTests.now)
        }
        household.people[1].looseningDelay = 0
        try household.openWaysOut(of: kid, true, at: FamilyDeviceTests.now)
        #expect(blocked("www.nordvpn.com", in: household) == nil)
        #expect(household.ruleChanges(since: home()).contains { $0.subject == .waysOut })
    }

    @Test("A new device follows every child until somebody says whose it is, if the home chose so")
    func newDevices() throws {
        var household = home()
        household.letNewDevicesFollowChildren()
        try FamilyDeviceTests.sleep(kid, in: &household)
        #expect(blocked("video.example", in: household, at: "10.9.9.9") == .sleep)
        var number: Int64 = 10
        household.meet(
            Sighting(IPAddress("10.9.9.9")!), household.directory, SameTime(),
            newID: { _ in
                number += 1
                return DeviceID(rawValue: number)
            }, at: FamilyDeviceTests.now)
        let device = try #require(household.device(at: "10.9.9.9"))
        #expect(device.family == FamilyUse(.anyChild) && !device.isConfirmed && !device.isUnplaced)
        #expect(household.isPassing(device))
        #expect(blocked("video.example", in: household, at: "10.9.9.9") == .sleep)
        // A child's delay does not keep an adult's new phone among the children.
        household.people[1].looseningDelay = 24
        household.people[1].limits.list = [UsageLimit(id: UUID(), target: .app("video"), minutes: 30)]
        try household.assign(device.id, to: me, at: FamilyDeviceTests.now)
        #expect(blocked("video.example", in: household, at: "10.9.9.9") == nil)
    }

    @Test("If the child is removed to whom new devices belonged, they follow the children who are left")
    func removed() throws {
        var household = FamilyDeviceTests.house(nil)
        try household.setNewDevices(belongTo: kid)
        try household.removePerson(kid, at: FamilyDeviceTests.now)
        #expect(household.familyOfNew == FamilyUse(.anyChild))
        try household.setNewDevices(belongTo: FamilyDeviceTests.mia)
        try household.removePerson(FamilyDeviceTests.mia, at: FamilyDeviceTests.now)
        #expect(household.holdersOfNew.isNobody)
    }
}
