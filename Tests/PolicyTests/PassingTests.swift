import Directory
import Foundation
import Testing

@testable import Policy

/// Devices that asked once, and their owners.
@Suite struct PassingTests {
    private static let me = PersonID(rawValue: 1)
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)

    private static func device(_ id: Int64 = 7, _ change: (inout Device) -> Void = { _ in }) -> Device {
        var device = Device(
            id: DeviceID(rawValue: id), name: "Device \(id)", isNamed: false, person: me, isConfirmed: false,
            addresses: ["fd00::7"], firstSeen: start, lastSeen: start.addingTimeInterval(599))
        change(&device)
        return device
    }

    private func household(_ device: Device, rule: PersonID? = me) -> Household {
        var household = Household(timeZone: "UTC", people: [Person(id: Self.me, name: "Me")])
        household.devices = [device]
        household.newDevicesBelongTo = rule
        return household
    }

    @Test func whoeverAskedOnceIsPassing() {
        let once = Self.device()
        #expect(once.isOnceSeen && household(once).isPassing(once))
        #expect(!household(once, rule: nil).isPassing(once), "somebody pressed its button")
        let nobodys = Self.device { ($0.person, $0.isConfirmed) = (nil, true) }
        #expect(household(nobodys, rule: nil).isPassing(nobodys))
    }

    @Test("Naming it, or using anything on it, makes it a device of this home")
    func whoeverIsKnownStays() {
        let known = [
            Self.device { $0.isNamed = true }, Self.device { $0.networkName = "tv" },
            Self.device { $0.kind = .medical }, Self.device { $0.isConfirmed = true },
            Self.device { $0.lastSeen += 1 }, Self.device { $0.helpUntil = Self.start },
            Self.device { $0.tryUntil = Self.start }, Self.device { $0.trustedAuthority = "a" },
            Self.device { $0.toldApart = [DeviceID(rawValue: 3)] },
            Self.device { $0.formerHardwareAddresses = ["02:00:00:00:00:01"] },
            Self.device { $0.left = Left(person: Self.me, at: Self.start) },
            // A page met it, and it never asked DNS.
            Self.device { $0.lastSeen = Date(timeIntervalSince1970: 0) },
        ]
        for device in known { #expect(!device.isOnceSeen) }
    }

    @Test("A bulk removal takes devices that are gone, but no child's device out of a strict night")
    func removal() throws {
        let now = Self.start.addingTimeInterval(3_600)
        var calm = household(Self.device())
        calm.devices.append(
            Self.device(8) {
                $0.lastSeen = now - 10
                $0.firstSeen = now - 60
            })
        try calm.removeOnceSeen(at: now)
        #expect(calm.devices.count == 1 && calm.devices[0].lastSeen == now - 10)

        var strict = household(Self.device())
        try strict.startSession(
            Self.me, durationMinutes: 60, strictness: .strict, id: UUID(),
            at: Self.start.addingTimeInterval(1_800))
        let before = strict
        #expect(throws: Refusal.self) { try strict.removeOnceSeen(at: now) }
        #expect(strict == before)
    }

    @Test(
        arguments: [
            ("02:00:00:00:00:01", "fd00::1", "100::200:0:1"),
            (nil, "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), (nil, "fd00::ffff", "fd00::"),
            (nil, "192.168.1.7", "192.168.1.7"), (nil, "", ""),
        ] as [(String?, String, String)])
    func holders(hardware: String?, address: String, text: String) {
        let holder = Holder(IPAddress(address), hardware.flatMap { MACAddress($0) })
        #expect(holder.address?.text ?? "" == text)
    }
}
