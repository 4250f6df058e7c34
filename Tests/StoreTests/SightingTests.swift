import Directory
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
            sightings.map { Sighting(IPAddress($0.0)!, $0.1.flatMap { MACAddress($0) }) },
            at: noon.addingTimeInterval(seconds))
    }

    private var devices: [Device] { store.household.devices }

    private let phone = "02:00:00:00:00:01"
    private let other = "02:00:00:00:00:02"

    @Test func aNewDeviceIsStoredAtOnceAndBlockedByNobody() throws {
        try store.saw(
            [Sighting(IPAddress("10.0.0.5")!, MACAddress(phone))], at: noon)
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
            [Sighting(IPAddress("10.0.0.1")!, isRouter: true), Sighting(IPAddress("10.0.0.2")!)], at: noon)
        #expect(devices.map(\.person) == [nil, me])
    }

    @Test("What a clock that was ahead wrote of a device is put right by its next question")
    func aClockThatWasAhead() throws {
        try see(0, ("10.0.0.5", phone))
        try see(40 * 86_400, ("10.0.0.5", phone))
        #expect(devices[0].lastSeen == noon + 40 * 86_400)
        try see(90, ("10.0.0.5", phone))
        #expect(devices[0].lastSeen == noon + 90)
        try see(400, ("10.0.0.5", phone))
        #expect(devices[0].lastSeen == noon + 400)
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
        // It goes back to its old hardware address, at a new IP address.
        try see(2_000, ("10.0.0.7", phone))
        #expect(devices.map(\.person) == [me])
        #expect(devices[0].hardwareAddress == phone && devices[0].formerHardwareAddresses == [other])
        #expect(devices[0].addresses == ["10.0.0.7", "10.0.0.1"])
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

    @Test func knownDevicesAreWrittenEveryFiveMinutes() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        for second in 1...299 { try see(Double(second), ("10.0.0.1", phone), ("10.0.0.2", other)) }
        #expect(written.take() == [])
        try see(300, ("10.0.0.1", phone))
        #expect(written.take() == ["device", "device"])
        #expect(devices.map { $0.lastSeen.timeIntervalSince(noon) } == [300, 299])
        try see(301, ("10.0.0.3", nil))
        #expect(devices.count == 3)
    }

    @Test("A device that never asked, or not for ten minutes, is not kept waiting for the others")
    func theFirstQuestionIsWrittenAtOnce() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        // A page enrols it: it is known, but has not asked yet.
        try store.change { $0.devices[1].lastSeen = Date(timeIntervalSince1970: 0) }
        try see(300, ("10.0.0.1", phone))
        let written = TablesWritten()
        store.queue.inDatabase { written.watch($0) }
        try see(301, ("10.0.0.2", other))
        #expect(written.take() == ["device"])
        #expect(devices[1].lastSeen == noon.addingTimeInterval(301))
        for second in 302...600 { try see(Double(second), ("10.0.0.2", other)) }
        #expect(written.take() == [])
        for second in stride(from: 601.0, through: 899, by: 1) { try see(second, ("10.0.0.2", other)) }
        let last = devices[1].lastSeen
        #expect(written.take().count == 1, "every five minutes as before")
        try see(900, ("10.0.0.1", phone))
        #expect(devices[0].lastSeen == noon.addingTimeInterval(900))
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

    @Test("An address stays a device's while it may be there: until it was seen elsewhere, or for half a day")
    func anAddressThatAnotherTookOverMoves() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        try see(700, ("10.0.0.1", other))
        #expect(devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.2"]])
        #expect(store.doubts(at: noon + 700) == [devices[0].id: other])
        try see(800, ("10.0.0.7", phone))
        try see(801, ("10.0.0.1", other))
        #expect(devices.map(\.addresses) == [["10.0.0.7"], ["10.0.0.1", "10.0.0.2"]])
        // A stranger takes one: a device of its own, and the address is its own when the other was quiet for long.
        let third = "02:00:00:00:00:03"
        try see(900, ("10.0.0.7", third))
        #expect(devices.map(\.addresses) == [["10.0.0.7"], ["10.0.0.1", "10.0.0.2"], []])
        try see(801 + Household.lease, ("10.0.0.7", third))
        #expect(devices.map(\.addresses) == [[], ["10.0.0.1", "10.0.0.2"], ["10.0.0.7"]])
    }

    @Test func theHardwareAddressIsLearntLater() throws {
        try see(0, ("10.0.0.1", nil))
        try see(1, ("10.0.0.1", phone))
        #expect(devices.map(\.hardwareAddress) == [phone])
    }

    @Test("What is somebody's is swallowed by nobody: by its hardware address another has the rules of both")
    func somebodyElsesDeviceIsNeverJoined() throws {
        for person in [nil, me] {
            try store.change { household in
                household.devices = [.example(1, seen: noon), .example(2, seen: noon)]
                household.devices[0].addresses = ["10.0.0.1"]
                household.devices[0].hardwareAddress = nil
                household.devices[0].person = me
                household.devices[1].addresses = ["10.0.0.2"]
                household.devices[1].hardwareAddress = phone
                household.devices[1].person = person
            }
            try see(5_000, ("10.0.0.1", phone))
            #expect(devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.2"]])
            let answer = store.deviceDirectory.answer(IPAddress("10.0.0.1")!, MACAddress(phone)!)
            #expect(answer.device == 2 && answer.rules == [2, 1])
        }
    }

    @Test("Two IPv4 addresses at the same time are two devices: of the newer one nobody has said whose it is")
    func twoAtOnce() throws {
        try see(0, ("10.0.0.1", phone))
        try store.change { $0.devices[0].person = me }
        for second in 1...10 { try see(Double(second), ("10.0.0.1", phone), ("10.0.0.9", phone)) }
        try #require(devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.9"]])
        #expect(devices.map(\.isUnplaced) == [false, true])
        #expect(devices.map(\.hardwareAddress) == [phone, phone])
        // Over a restart too, and for whoever comes next; over IPv6 nothing tells them apart.
        let again = try HouseholdStore.inMemory(store.household, log: .silent)
        let seen = ["10.0.0.1", "10.0.0.5", "fd00::5"].map { Sighting(IPAddress($0)!, MACAddress(phone)) }
        try again.saw(seen, at: noon + 60)
        #expect(again.household.devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.9"], ["10.0.0.5"]])
        #expect(again.household.devices[2].isUnplaced)
        // It is told whose it is, and it stays so.
        let id = again.household.devices[2].id
        try again.change { try $0.release(id, at: noon + 61) }
        try again.saw(seen, at: noon + 62)
        #expect(again.household.devices.count == 3 && !again.household.devices[2].isUnplaced)
    }

    @Test("A device that only gets another address is one device")
    func aNewLease() throws {
        for second in 0...30 { try see(Double(second), ("10.0.0.1", phone)) }
        try see(31, ("10.0.0.1", phone), ("10.0.0.9", phone))
        for second in 32...200 { try see(Double(second), ("10.0.0.9", phone)) }
        #expect(devices.map(\.addresses) == [["10.0.0.9", "10.0.0.1"]])
    }

    @Test(
        "A device that roamed to a repeater is itself there once somebody said so, and nothing of it is loosened"
    )
    func placed() throws {
        let child = PersonID(rawValue: 2)
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        try store.change { household in
            household.people.append(Person(id: child, name: "Ada", role: .child))
            household.devices[0].person = child
            household.devices[1].person = me
        }
        try see(20, ("10.0.0.1", other))
        let repeater = MACAddress(other)!
        #expect(store.deviceDirectory.answer(IPAddress("10.0.0.1")!, repeater).rules == [2, 1])
        try store.change { household in
            household.people[0].session = .example(minutes: 60, strictness: .strict)
        }
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try store.change { try $0.place(DeviceID(rawValue: 1), behind: repeater, at: noon + 30) }
        }
        try store.change { household in
            household.people[0].session = nil
            try household.place(DeviceID(rawValue: 1), behind: repeater, at: noon + 30)
        }
        #expect(store.deviceDirectory.answer(IPAddress("10.0.0.1")!, repeater).rules == [1])
        #expect(store.deviceDirectory.answer(IPAddress("10.0.0.2")!, repeater).rules == [2])
        #expect(store.deviceDirectory.answer(IPAddress("10.0.0.3")!, repeater).rules == [1, 2])
    }

    @Test("Addresses that were used one after the other are nobody's once the hardware address is shared")
    func bankedAddresses() throws {
        try see(0, ("10.0.0.1", phone))
        try see(100, ("10.0.0.5", phone))
        try see(200, ("fd00::5", phone))
        try see(300, ("10.0.0.6", phone))
        for second in [400.0, 404] { try see(second, ("10.0.0.1", phone), ("10.0.0.6", phone)) }
        #expect(devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.6"]])
        for address in ["10.0.0.5", "fd00::5"] {
            let answer = store.deviceDirectory.answer(IPAddress(address)!, MACAddress(phone))
            #expect(answer == .init(rules: [1, 2], isNew: true), "\(address)")
        }
    }

    @Test("An address stays a device's while somebody goes on using it by another hardware address")
    func heldWhileUsed() throws {
        try see(0, ("10.0.0.1", phone), ("10.0.0.2", other))
        for hour in 1...30 { try see(Double(hour) * 3_600, ("10.0.0.1", other)) }
        #expect(devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.2"]])
    }

    @Test("The time in which this server was off is no time in which a device was quiet")
    func afterANightOff() throws {
        try store.change { household in
            household.devices = [.example(1), .example(2)]
            household.devices[0].hardwareAddress = phone
            household.devices[1].hardwareAddress = other
        }
        try see(60_000, ("10.0.0.1", other))
        #expect(devices.map(\.addresses) == [["10.0.0.1"], ["10.0.0.2"]])
    }

    @Test("Behind a shared hardware address, an address whose device is elsewhere is the newcomer's")
    func reusedBehindARepeater() throws {
        try see(0, ("10.0.0.1", phone))
        for second in [100.0, 104] { try see(second, ("10.0.0.5", other), ("10.0.0.6", other)) }
        try see(200, ("10.0.0.9", phone))
        try see(300, ("10.0.0.1", other))
        #expect(devices.map(\.addresses) == [["10.0.0.9"], ["10.0.0.5"], ["10.0.0.6"], ["10.0.0.1"]])
        #expect(devices[3].isUnplaced)
    }

    @Test func aScanIsTakenInPortions() throws {
        let scan = (1...200).map { Sighting(IPAddress("10.0.1.\($0)")!) }
        try store.saw(scan, at: noon)
        #expect(devices.count == UnwrittenSightings.newcomers)
        for second in 1...3 { try store.saw(scan, at: noon.addingTimeInterval(Double(second))) }
        #expect(devices.count == 200)
        #expect(Set(devices.map(\.id)).count == 200)
    }

    @Test func newDevicesAreNumberedWithoutGaps() throws {
        try see(0, ("10.0.0.1", nil))
        // The device learns a hardware address, then moves: it is not new, so no number is used up.
        try see(1, ("10.0.0.1", phone))
        try see(2, ("fd00::1", phone), ("fd00::2", phone))
        try see(3, ("10.0.0.2", nil), ("10.0.0.3", other), ("10.0.0.3", other), ("fd00::3", other))
        try see(4, ("10.0.0.4", nil))
        #expect(devices.map(\.name) == (1...4).map { "Device \($0)" })
        #expect(try store.newDeviceID() == DeviceID(rawValue: 5))
    }

    @Test func theUnknownOneUnseenLongestMakesRoom() throws {
        try store.change { household in
            household.devices = (1...Int64(Household.mostUnknown)).map {
                var device = Device.example($0, seen: noon.addingTimeInterval(Double($0)))
                device.addresses = ["fd00::\($0)"]
                return device
            }
            household.devices[0].kind = .medical
            household.devices[1].person = me
        }
        try see(10_000, ("10.0.0.1", nil), ("10.0.0.2", nil), ("10.0.0.3", nil))
        #expect(devices.count == Household.mostUnknown + 2)
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
        try store.saw([Sighting(IPAddress(MACAddress(phone)!))], at: noon)
        let first = try #require(devices.first)
        #expect(first.addresses.isEmpty && first.hardwareAddress == phone)
        try store.saw([Sighting(IPAddress(MACAddress(phone)!))], at: noon.addingTimeInterval(700))
        #expect(devices.count == 1 && devices[0].lastSeen == noon.addingTimeInterval(700))
        try see(720, ("10.0.0.5", phone), ("10.0.0.6", other))
        #expect(devices.map(\.addresses) == [["10.0.0.5"], ["10.0.0.6"]])
        #expect(devices[0].id == first.id)
    }

    @Test(
        "A device that others ask for keeps no address for longer than half a day after it was there itself")
    func namedDevicesHoldNoAddress() throws {
        try see(0, ("10.0.0.5", phone))
        try see(Household.lease, ("10.0.0.5", other))
        #expect(devices.map(\.addresses) == [[], ["10.0.0.5"]])
    }
}
