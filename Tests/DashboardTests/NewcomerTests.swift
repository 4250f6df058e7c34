import Directory
import Foundation
import Policy
import Testing

@testable import Dashboard

@Suite struct NewcomerTests {
    @Test("A device whose first question was stored while its page was on the way is not added again")
    func questionWasQuicker() throws {
        let place = try #require(IPAddress("192.168.1.60"))
        let hardware = try #require(MACAddress("02:00:00:00:00:60"))
        for sighting in [Sighting(place, nil), Sighting(place, hardware)] {
            let newcomer = Newcomer(sighting: sighting, id: DeviceID(rawValue: 9))
            var household = Household(timeZone: "Europe/Berlin", people: TestHouse.parentAndChild)
            household.devices = [
                Device(
                    id: DeviceID(rawValue: 7), name: "Device 7", isNamed: false, addresses: [place.text],
                    hardwareAddress: sighting.hardware?.text, firstSeen: TestHouse.evening,
                    lastSeen: TestHouse.evening)
            ]
            #expect(household.welcome(newcomer, at: TestHouse.evening) == DeviceID(rawValue: 7))
            #expect(household.devices.count == 1)
        }
    }
}
