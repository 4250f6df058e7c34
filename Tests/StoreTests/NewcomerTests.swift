import Directory
import Foundation
import Policy
import Testing

@testable import Store

/// Made-up addresses cost nothing: a sender with many of them fills neither the table nor the page.
@Suite struct NewcomerTests {
    private let store: HouseholdStore

    init() throws {
        var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Me")])
        household.newDevicesBelongTo = me
        store = try .inMemory(household, log: .silent)
    }

    private var devices: [Device] { store.household.devices }

    private func forge(_ numbers: Range<Int>, network: String = "fd00::", at second: Int) throws {
        let seen = numbers.map { Sighting(IPAddress("\(network)\(String($0, radix: 16))")!) }
        try store.saw(seen, at: noon.addingTimeInterval(Double(second)))
    }

    @Test("Sources that one network made up are so many a day, however many come")
    func anIPv6NetworkIsOneHolder() throws {
        for second in 0..<120 { try forge(1 + second * 64..<65 + second * 64, at: second) }
        #expect(devices.count == Allowance<Holder>.newcomersADay)
        // Sources in other networks, or with a hardware address, become devices at once, and the rule holds for them.
        try store.saw(
            [
                Sighting(IPAddress("fd00:0:0:1::7")!), Sighting(IPAddress("192.168.1.7")!),
                Sighting(IPAddress("fd00::7:7")!, MACAddress("02:00:00:00:00:07")),
            ], at: noon.addingTimeInterval(130))
        #expect(devices.count == Allowance<Holder>.newcomersADay + 3)
        #expect(devices.allSatisfy { $0.person == me && !$0.isConfirmed })
    }

    @Test("A day later what passed by is gone, and who stayed, was named or was claimed is there")
    func aDayLater() throws {
        try forge(1..<41, at: 0)
        try store.saw(
            [Sighting(IPAddress("192.168.1.7")!, MACAddress("02:00:00:00:00:07"))], at: noon)
        try store.change {
            $0.devices[0].isNamed = true
            $0.devices[1].kind = .medical
            $0.devices[2].isConfirmed = true
            $0.devices[3].networkName = "tv"
        }
        try store.saw([Sighting(IPAddress("fd00::5")!)], at: noon.addingTimeInterval(700))
        for hour in 1...25 {
            try store.saw(
                [Sighting(IPAddress("192.168.1.7")!, MACAddress("02:00:00:00:00:07"))],
                at: noon.addingTimeInterval(Double(hour) * 3600))
        }
        try store.forget(at: noon.addingTimeInterval(90_000), isSynchronised: false)
        #expect(devices.count == 41, "nobody by a clock that may be ahead")
        try store.forget(at: noon.addingTimeInterval(90_000), isSynchronised: true)
        #expect(
            Set(devices.flatMap(\.addresses)) == [
                "fd00::1", "fd00::2", "fd00::3", "fd00::4", "fd00::5", "192.168.1.7",
            ])
        // Whoever comes back is again what the rule for new devices says.
        try store.saw([Sighting(IPAddress("fd00::20")!)], at: noon.addingTimeInterval(90_100))
        #expect(devices.last?.addresses == ["fd00::20"] && devices.last?.person == me)
    }

    @Test("Where there is no room, who passed by goes before a stranger who was here for long")
    func whoPassedByMakesRoom() throws {
        try store.change { household in
            household.devices = (1...Int64(Household.mostUnknown)).map { number in
                let seen = noon.addingTimeInterval(Double(number))
                var device = Device(
                    id: DeviceID(rawValue: number), name: "Device \(number)", isNamed: false,
                    addresses: ["fd00:0:0:\(String(number, radix: 16))::1"], firstSeen: seen, lastSeen: seen)
                // The first ten are strangers of last week.
                if number <= 10 { device.firstSeen = noon.addingTimeInterval(-600_000) }
                if number > 20 { (device.person, device.isConfirmed) = (me, false) }
                return device
            }
        }
        for number in 1...30 {
            try store.saw([Sighting(IPAddress("10.0.0.\(number)")!)], at: noon.addingTimeInterval(5_000))
        }
        #expect(devices.count == Household.mostUnknown)
        let left = Set(devices.map(\.id.rawValue))
        #expect(left.isSuperset(of: 1...10) && left.isDisjoint(with: 11...40))
    }
}
