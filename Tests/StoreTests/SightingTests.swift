import Foundation
import GRDB
import Policy
import Testing

@testable import Store

@Suite struct SightingTests {
    private let store: HouseholdStore

    init() throws {
        store = try .inMemory(Household(timeZone: "UTC", people: [Person(id: me, name: "Me")]), log: .silent)
    }

    private func see(_ seconds: TimeInterval, _ sightings: (String, String?)...) throws {
        try store.saw(
            sightings.map { Sighting(address: $0.0, hardwareAddress: $0.1) },
            at: noon.addingTimeInterval(seconds))
    }

    private var devices: [Device] { store.household.devices }

    private let phone = "02:00:00:00:00:01"
    private let other = "02:00:00:00:00:02"

    @Test func aNewDeviceIsStoredAtOnceAndBlockedByNobody() throws {
        try store.saw(
            [Sighting(address: "10.0.0.5", hardwareAddress: phone)], at: noon)
        let device = try #require(devices.first)
        #expect(device.name == "Device \(device.id.rawValue)" && !device.isNamed)
        #expect(device.person == nil)
        #expect(device.addresses == ["10.0.0.5"])
        #expect(device.hardwareAddress == phone)
        #expect(device.firstSeen == noon && device.lastSeen == noon)
    }

    @Test func theHouseholdsRuleForNewDevicesHolds() throws {
        try store.change { $0.newDevicesBelongTo = me }
        try see(0, ("10.0.0.5", nil))
        #expect(devices.map(\.person) == [me])
        #expect(devices[0].name == "Device \(devices[0].id.rawValue)")
    }

    @Test("A router asks for everything behind it: no rule for new devices makes it somebody's")
    func aRouterStaysNobodys() throws {
        try store.change { $0.newDevicesBelongTo = me }
        try store.saw(
            [Sighting(address: "10.0.0.1", isRouter: true), Sighting(address: "10.0.0.2")], at: noon)
        #expect(devices.map(\.person) == [nil, me])
    }

    @Test("What a clock that was ahead wrote of a device is put right by its next question")
    func aClockThatWasAhead() throws {
        try see(0, ("10.0.0.5", phone))
        try see(40 * 86_400, ("10.0.0.5", phone))
        #expect(devices[0].lastSeen == noon + 40 * 86_400)
        try see(90, ("10.0.0.5", phone))
        #expect(devices[0].lastSeen == noon + 90)
        try see(200, ("10.0.0.5", phone))
        #expect(devices[0].lastSeen == noon + 200)
    }

    @Test("Nor is what was not written before the clock was right again")
    func notWrittenWhileAhead() throws {
        try see(0, ("10.0.0.5", phone))
        try see(40 * 86_400, ("10.0.0.5", phone))
        try see(40 * 86_400 + 5, ("10.0.0.5", phone))
        try see(90, ("10.0.0.6", other))
        #expect(devices[0].lastSeen == noon + 90)
    }

    @Test("A hardware address that a device had before is still its own, and no write goes back and forth")
    func aFormerHardwareAddressIsKnown() throws {
        try see(0, ("10.0.0.1", phone))
        try store.change { household in
            household.devices[0].person = me
            household.devices[0].use(hardware: other)
        }
        #expect(devices[0].formerHardwareAddresses == [phone])
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        try see(1, ("10.0.0.1", phone))
        #expect(written.take() == [])
        // Back to it, at an address of its own.
        try see(2_000, ("10.0.0.7", phone))
        #expect(devices.map(\.person) == [me])
        #expect(devices[0].hardwareAddress == phone && devices[0].formerHardwareAddresses == [other])
        #expect(devices[0].addresses == ["10.0.0.7", "10.0.0.1"])
    }

    @Test("Addresses that were not seen for three days go, while the device uses others")
    func staleAddressesGo() throws {
        let day = 86_400.0
        try see(0, ("10.0.0.1", phone), ("fd00::1", phone), ("10.0.0.9", nil), ("fd00::9", other))
        // Otherwise they only passed by.
        try store.change { for index in $0.devices.indices { $0.devices[index].isNamed = true } }
        for hour in 1...73 { try see(Double(hour) * 3600, ("10.0.0.1", phone), ("fd00::2", phone)) }
        #expect(Set(devices[0].addresses) == ["10.0.0.1", "fd00::2"])
        // Whoever is away keeps everything, and so does who is known by nothing else.
        try see(5 * day, ("10.0.0.9", nil))
        #expect(devices[1].addresses == ["10.0.0.9"])
        #expect(devices[2].addresses == ["fd00::9"])
        try see(30 * day, ("10.0.0.9", nil))
        #expect(Set(devices[0].addresses) == ["10.0.0.1", "fd00::2"])
    }

    @Test func whatTheNetworkCallsADeviceIsStoredOnce() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        try store.change { try $0.renameDevice($0.devices[1].id, to: "Ada's phone") }
        let names = Dictionary(uniqueKeysWithValues: devices.map { ($0.id, "host-\($0.id.rawValue).lan") })
        try store.learnNetworkNames(names)
        #expect(devices.map(\.name) == ["host-\(devices[0].id.rawValue)", "Ada's phone"])
        #expect(devices.map { $0.networkName ?? "" } == devices.map { "host-\($0.id.rawValue)" })
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        try store.learnNetworkNames(names)
        try store.learnNetworkNames([DeviceID(rawValue: 999): "nobody"])
        #expect(written.take() == [])
    }

    @Test func knownDevicesAreWrittenOnceAMinute() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        for second in 1...59 { try see(Double(second), ("10.0.0.1", phone), ("10.0.0.2", other)) }
        #expect(written.take() == [])
        try see(60, ("10.0.0.1", phone))
        #expect(written.take() == ["device", "device"])
        #expect(devices.map { $0.lastSeen.timeIntervalSince(noon) } == [60, 59])
        try see(61, ("10.0.0.3", nil))
        #expect(devices.count == 3)
    }

    @Test("A device that never asked, or not for ten minutes, is not kept waiting for the minute")
    func theFirstQuestionIsWrittenAtOnce() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        // As a page enrolls it: known, and yet to ask.
        try store.change { $0.devices[1].lastSeen = Date(timeIntervalSince1970: 0) }
        try see(60, ("10.0.0.1", phone))
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        try see(61, ("10.0.0.2", other))
        #expect(written.take() == ["device"])
        #expect(devices[1].lastSeen == noon.addingTimeInterval(61))
        for second in 62...120 { try see(Double(second), ("10.0.0.2", other)) }
        #expect(written.take() == [])
        for second in stride(from: 121.0, through: 659, by: 1) { try see(second, ("10.0.0.2", other)) }
        let last = devices[1].lastSeen
        #expect(written.take().count == 9, "once a minute as before")
        try see(660, ("10.0.0.1", phone))
        #expect(devices[0].lastSeen == noon.addingTimeInterval(660))
        #expect(devices[1].lastSeen > last, "what waited goes along")
    }

    @Test func aNewAddressIsAddedToItsDevice() throws {
        try see(0, ("10.0.0.1", phone))
        try see(1, ("fd00::1", phone))
        try see(700, ("10.0.0.9", phone))
        #expect(devices.map(\.addresses) == [["10.0.0.9", "fd00::1", "10.0.0.1"]])
        for number in 0..<40 { try see(800 + Double(number), ("fd00::a:\(number)", phone)) }
        #expect(devices[0].addresses.count == Device.mostAddresses + 2, "IPv6 pushes no IPv4 address out")
        #expect(
            devices[0].addresses[0] == "fd00::a:39"
                && devices[0].addresses.suffix(2) == ["10.0.0.9", "10.0.0.1"])
    }

    @Test func anAddressThatAnotherTookOverMoves() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        try see(700, ("10.0.0.1", other))
        #expect(devices.map(\.addresses) == [[], ["10.0.0.1", "10.0.0.2"]])
        // A stranger takes it: a device of its own.
        try see(1_500, ("10.0.0.1", "02:00:00:00:00:03"))
        #expect(devices.map(\.addresses) == [[], ["10.0.0.2"], ["10.0.0.1"]])
    }

    @Test func theHardwareAddressIsLearntLater() throws {
        try see(0, ("10.0.0.1", nil))
        try see(1, ("10.0.0.1", phone))
        #expect(devices.map(\.hardwareAddress) == [phone])
    }

    @Test("A phone that a page enrolled, and that asked over IPv6 before its hardware address was known")
    func bothAddressesOfAnEnrolledPhoneAreOneDevice() throws {
        for batch in [["10.0.0.1", "fd00::1"], ["fd00::1", "10.0.0.1"]] {
            try store.change { household in
                household.devices = [.example(1, seen: noon)]
                household.devices[0].addresses = ["10.0.0.1"]
                household.devices[0].hardwareAddress = nil
                household.devices[0].person = me
            }
            try see(0, (batch[0], phone), (batch[1], phone))
            try #require(devices.count == 1)
            #expect(Set(devices[0].addresses) == ["10.0.0.1", "fd00::1"])
            #expect(devices[0].hardwareAddress == phone && devices[0].person == me)
        }
    }

    @Test("An IPv6 address that was seen before its neighbour entry goes to the phone that has it")
    func anIPv6AddressWithoutNeighbourEntryIsJoinedLater() throws {
        try see(0, ("10.0.0.1", phone))
        try store.change { $0.devices[0].person = me }
        try see(1, ("10.0.0.1", phone), ("fd00::1", nil))
        try see(2, ("10.0.0.1", phone), ("fd00::1", phone))
        #expect(devices.map(\.person) == [me])
        #expect(Set(devices[0].addresses) == ["10.0.0.1", "fd00::1"])
    }

    @Test("What somebody owns, or what has an IPv4 address of its own, is not swallowed by an enrolled phone")
    func somebodyElsesDeviceIsNeverJoined() throws {
        let addresses = ["10.0.0.2", "fd00::2"]
        for (address, person) in zip(addresses, [nil, me]) {
            try store.change { household in
                household.devices = [.example(1, seen: noon), .example(2, seen: noon)]
                household.devices[0].addresses = ["10.0.0.1"]
                household.devices[0].hardwareAddress = nil
                household.devices[0].person = me
                household.devices[1].addresses = [address]
                household.devices[1].hardwareAddress = phone
                household.devices[1].person = person
            }
            try see(5_000, ("10.0.0.1", phone))
            #expect(devices.map(\.addresses) == [["10.0.0.1"], [address]])
        }
    }

    @Test func aScanIsTakenInPortions() throws {
        let scan = (1...200).map { Sighting(address: "10.0.1.\($0)") }
        try store.saw(scan, at: noon)
        #expect(devices.count == Sightings.newcomers)
        for second in 1...3 { try store.saw(scan, at: noon.addingTimeInterval(Double(second))) }
        #expect(devices.count == 200)
        #expect(Set(devices.map(\.id)).count == 200)
    }

    @Test func newDevicesAreNumberedWithoutGaps() throws {
        try see(0, ("10.0.0.1", nil))
        // Learns, then moves: no device is new, so no number goes.
        try see(1, ("10.0.0.1", phone))
        try see(2, ("fd00::1", phone), ("fd00::2", phone))
        try see(3, ("10.0.0.2", nil), ("10.0.0.3", other), ("10.0.0.3", other), ("fd00::3", other))
        try see(4, ("10.0.0.4", nil))
        #expect(devices.map(\.name) == (1...4).map { "Device \($0)" })
        #expect(try store.newDeviceID() == DeviceID(rawValue: 5))
    }

    @Test func theUnknownOneUnseenLongestMakesRoom() throws {
        try store.change { household in
            household.devices = (1...Int64(Neighbourhood.unknownLimit)).map {
                var device = Device.example($0, seen: noon.addingTimeInterval(Double($0)))
                device.addresses = ["fd00::\($0)"]
                return device
            }
            household.devices[0].kind = .medical
            household.devices[1].person = me
        }
        try see(10_000, ("10.0.0.1", nil), ("10.0.0.2", nil), ("10.0.0.3", nil))
        #expect(devices.count == Neighbourhood.unknownLimit + 2)
        #expect(devices[0].kind == .medical && devices[1].person == me)
        #expect(!devices.contains { $0.id == DeviceID(rawValue: 3) })
        #expect(devices.suffix(3).map(\.addresses) == [["10.0.0.1"], ["10.0.0.2"], ["10.0.0.3"]])
    }

    @Test func aDiskThatRefusesIsNotAskedEverySecond() throws {
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
        #expect(throws: StoreError.self) { try see(0, ("10.0.0.1", nil)) }
        for second in 1...9 { try see(Double(second), ("10.0.0.1", nil)) }
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try see(10, ("10.0.0.1", nil))
        #expect(devices.count == 1)
    }

    @Test func aDiskThatRefusedWhileTheClockWasAheadIsAskedAgain() throws {
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = ON") }
        #expect(throws: StoreError.self) { try see(86_400, ("10.0.0.1", nil)) }
        try store.queue.inDatabase { try $0.execute(sql: "PRAGMA query_only = OFF") }
        try see(0, ("10.0.0.1", nil))
        #expect(devices.count == 1)
    }

    @Test(
        "Behind a forwarder a device is known by its hardware address alone, and takes its address when it is seen"
    )
    func behindAForwarder() throws {
        try store.saw([Sighting(address: nil, hardwareAddress: phone)], at: noon)
        let first = try #require(devices.first)
        #expect(first.addresses.isEmpty && first.hardwareAddress == phone)
        try store.saw([Sighting(address: nil, hardwareAddress: phone)], at: noon.addingTimeInterval(700))
        #expect(devices.count == 1 && devices[0].lastSeen == noon.addingTimeInterval(700))
        try see(720, ("10.0.0.5", phone), ("10.0.0.6", other))
        #expect(devices.map(\.addresses) == [["10.0.0.5"], ["10.0.0.6"]])
        #expect(devices[0].id == first.id)
    }

    @Test("A device that others ask for keeps no address from being somebody else's")
    func namedDevicesHoldNoAddress() throws {
        try see(0, ("10.0.0.5", phone))
        for seconds in stride(from: 60.0, through: 1_200, by: 60) {
            try store.saw([Sighting(address: nil, hardwareAddress: phone)], at: noon + seconds)
        }
        try see(1_260, ("10.0.0.5", other))
        #expect(devices.count == 2, "the address has changed hands")
        #expect(devices.map(\.addresses) == [[], ["10.0.0.5"]])
    }
}
