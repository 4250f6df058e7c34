import Foundation
import Testing

@testable import Policy

@Suite("A device trusts the authority for which that was seen, and no other")
struct DeviceTrustTests {
    private static let phone = DeviceID(rawValue: 1)

    private static func household() -> Household {
        let device = Device(
            id: phone, name: "Phone", addresses: ["10.0.0.2"], firstSeen: .distantPast, lastSeen: .distantPast
        )
        return Household(
            timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")], devices: [device])
    }

    @Test(
        arguments: [
            (nil, nil, false), (nil, "a", false), ("a", nil, false), ("a", "a", true), ("a", "b", false),
        ] as [(String?, String?, Bool)])
    func trusts(seen: String?, current: String?, isTrusting: Bool) throws {
        var household = Self.household()
        if let seen { try household.noteTrust(Self.phone, in: seen) }
        #expect(household.devices[0].trustsShield(of: current) == isTrusting)
        try household.forgetTrust(Self.phone)
        #expect(!household.devices[0].trustsShield(of: current))
    }

    @Test func anUnknownDeviceIsRefused() {
        var household = Self.household()
        let unknown = DeviceID(rawValue: 9)
        #expect(throws: Refusal.unknownDevice) { try household.noteTrust(unknown, in: "a") }
        #expect(throws: Refusal.unknownDevice) { try household.forgetTrust(unknown) }
    }
}
