import Foundation
import GRDB
import Policy
import Testing

@testable import Store

/// Who it is when an IP address says one device and a hardware address another.
@Suite struct RepeaterTests {
    private let store: HouseholdStore

    private let phone = "02:00:00:00:00:01"
    private let television = "02:00:00:00:00:02"
    private let repeater = "02:00:00:00:00:99"
    private let phones = "10.0.0.1"
    private let televisions = "10.0.0.2"
    private let child = PersonID(rawValue: 2)

    /// The phone is the child's, the television nobody's.
    init() throws {
        let people = [Person(id: me, name: "Me"), Person(id: child, name: "Ada", role: .child)]
        store = try .inMemory(Household(timeZone: "UTC", people: people), log: .silent)
        try see(0, (phones, phone), (televisions, television))
        try store.change { [child] household in
            household.devices[0].person = child
            household.possibleRepeaters = ["02:00:00:00:00:01"]
            household.devices[1].kind = .television
            household.devices[1].isNamed = true
        }
    }

    private func see(_ seconds: TimeInterval, _ sightings: (String, String?)...) throws {
        try store.saw(
            sightings.map { Sighting(address: $0.0, hardwareAddress: $0.1) },
            at: noon.addingTimeInterval(seconds))
    }

    private var devices: [Device] { store.household.devices }

    @Test("Whoever takes the address of a television that was on a moment ago stays who they are")
    func aBorrowedAddressIsTheBorrowers() throws {
        try see(20, (phones, phone), (televisions, television))
        try see(21, (televisions, phone))
        #expect(devices.map(\.addresses) == [[televisions, phones], []])
        #expect(devices.map(\.person) == [child, nil])
        // It is switched on again, and is itself at once.
        try see(45, (televisions, television))
        #expect(devices.map(\.addresses) == [[phones], [televisions]])
    }

    @Test("The same with an adult's address, with IPv6, and while the own address goes on asking")
    func borrowedFromAnAdult() throws {
        try see(5, ("fd00::2", television))
        try store.change { $0.devices[1].person = me }
        try see(10, (phones, phone), ("fd00::2", phone), (televisions, phone))
        #expect(devices.map(\.addresses) == [[televisions, "fd00::2", phones], []])
    }

    @Test(
        "Who takes another's address and goes to sleep does not keep it: its owner is back at once",
        arguments: [("fd00::2", true), ("fd00::2", false), ("10.0.0.2", false)])
    func takenForAMoment(address: String, isRestarted: Bool) throws {
        try see(5, ("fd00::2", television), (televisions, television))
        let store = isRestarted ? try HouseholdStore.inMemory(store.household, log: .silent) : store
        func come(_ seconds: TimeInterval, _ hardware: String) throws {
            let sighting = Sighting(address: address, hardwareAddress: hardware)
            try store.saw([sighting], at: noon.addingTimeInterval(seconds))
        }
        try come(20, phone)
        #expect(store.household.device(at: address)?.person == child)
        try come(22, television)
        #expect(store.household.device(at: address)?.person == nil)
        try come(23, phone)
        try come(24, television)
        #expect(store.household.device(at: address)?.person == nil, "as often as it happens")
    }

    @Test(
        "Whoever had an IPv6 address with its own hardware address has it back, also if the other had it first"
    )
    func afterTheOther() throws {
        let address = "fd00::7"
        func holder(_ second: Double, _ address: String, _ hardware: String) throws -> PersonID? {
            try see(second, (address, hardware))
            return store.household.device(at: "fd00::7")?.person
        }
        #expect(try holder(10, address, phone) == child)
        #expect(
            try holder(11, address, television) == child, "the phone may be behind the television's repeater")
        #expect(try holder(12, phones, phone) == child)
        #expect(try holder(13, address, television) == nil, "it is not")
        #expect(try holder(14, address, phone) == child)
        #expect(try holder(15, address, television) == nil)
    }

    @Test("An address that a router gave away is not its former device's, behind what may be a repeater")
    func afterALease() throws {
        try see(10, ("10.0.0.14", television))
        try see(20, (televisions, phone))
        try see(40, (televisions, television))
        #expect(devices.map(\.addresses) == [[televisions, phones], ["10.0.0.14"]])
        try see(41, ("10.0.0.14", television), (televisions, television))
        #expect(store.household.device(at: televisions)?.person == child)
    }

    @Test(
        "A child's second device behind a repeater that the first is known by is the child's, also after a restart"
    )
    func twoOfOneChild() throws {
        let (tablets, tablet) = ("10.0.0.3", "02:00:00:00:00:03")
        try see(5, (tablets, tablet))
        try store.change { [child] in $0.devices[2].person = child }
        try see(10, (tablets, phone), (phones, phone))
        #expect(devices.map(\.addresses) == [[phones], [televisions], [tablets]])
        let again = try HouseholdStore.inMemory(store.household, log: .silent)
        for second in 0...30 {
            let both = [phones, tablets].map { Sighting(address: $0, hardwareAddress: phone) }
            try again.saw(both, at: noon.addingTimeInterval(100 + Double(second)))
        }
        #expect(again.household.repeaters == [phone])
        #expect(again.household.device(at: tablets)?.person == child)
    }

    @Test("A child's device with two addresses is no repeater until somebody says that it may be")
    func aChildsTwoAddresses() throws {
        try store.change { $0.possibleRepeaters = [] }
        for second in 30...60 { try see(Double(second), (phones, phone), (televisions, phone)) }
        #expect(store.household.repeaters == [])
        #expect(devices.map { Set($0.addresses) } == [[phones, televisions], []])
        #expect(store.household.mayHideRepeater(devices[0]))
        try store.change { try $0.allowForRepeater(behind: $0.devices[0].id, at: noon + 60) }
        try see(61, (phones, phone), (televisions, phone))
        #expect(store.household.repeaters == [phone])
        #expect(devices.map(\.addresses) == [[phones], [televisions]])
    }

    @Test("A fresh address is the owner's at once, however lately another of its own was seen")
    func aFreshAddress() throws {
        try see(20, (phones, phone))
        try see(21, ("10.0.0.7", phone))
        try see(22, ("10.0.0.8", nil))
        try see(23, ("10.0.0.8", phone))
        #expect(devices.map(\.addresses) == [["10.0.0.8", "10.0.0.7", phones], [televisions]])
    }

    @Test("Going back and forth by hand makes no repeater of a phone", arguments: [12.0, 25])
    func handsAreSlow(pause: TimeInterval) throws {
        for turn in 0..<60 {
            let start = 30 + Double(turn) * pause
            for second in stride(from: 0, to: pause - 2, by: 1) {
                try see(start + second, (turn.isMultiple(of: 2) ? televisions : phones, phone))
            }
            // The last question from one address and the first from the other may be seen together.
            try see(start + pause - 1, (televisions, phone), (phones, phone))
        }
        #expect(store.household.repeaters == [])
        #expect(devices[1].addresses == [])
    }

    @Test("A phone whose lease changes is no repeater")
    func aNewLeaseIsNoTurn() throws {
        for second in 1...30 { try see(Double(second), (phones, phone)) }
        try see(31, (phones, phone), ("10.0.0.9", phone))
        for second in 32...200 { try see(Double(second), ("10.0.0.9", phone)) }
        #expect(store.household.repeaters == [])
        #expect(devices[0].addresses == ["10.0.0.9", phones])
    }

    @Test("Behind a repeater that was the phone's own address so far, the television gets back what it lost")
    func aRepeaterIsFound() throws {
        // The phone is asleep when the television comes to the repeater.
        for second in 30...40 { try see(Double(second), (televisions, phone), ("fd00::2", phone)) }
        #expect(devices[1].addresses == [])
        for second in 41...65 { try see(Double(second), (phones, phone), (televisions, phone)) }
        #expect(store.household.repeaters == [phone])
        #expect(devices.map(\.addresses) == [["fd00::2", phones], [televisions]])
        #expect(devices.map(\.person) == [child, nil])
        // From now on the IP address tells, however long the other is away.
        try see(5_000, (televisions, phone))
        try see(9_000, (phones, phone))
        #expect(devices.map(\.addresses) == [["fd00::2", phones], [televisions]])
        #expect(devices[1].hardwareAddress == television)
    }

    @Test("Who is new behind a repeater, say a baby monitor, is nobody's once the repeater is found")
    func aNewcomerBehindARepeater() throws {
        let monitor = "10.0.0.5"
        for second in stride(from: 100.0, to: 400, by: 2) {
            try see(second, (phones, phone))
            if second.truncatingRemainder(dividingBy: 30) == 0 { try see(second + 1, (monitor, phone)) }
        }
        #expect(store.household.repeaters == [phone])
        #expect(devices.map(\.addresses) == [[phones], [televisions], [monitor]])
        #expect(devices.map(\.person) == [child, nil, nil])
        #expect(devices[2].hardwareAddress == nil)
    }

    @Test("Nor does one stay the phone's that came before, and took no turns itself")
    func aQuietNewcomerBehindARepeater() throws {
        let monitor = "10.0.0.5"
        try see(100, (monitor, phone))
        #expect(devices[0].addresses == [monitor, phones])
        for second in 200...230 { try see(Double(second), (phones, phone), ("10.0.0.6", phone)) }
        #expect(store.household.repeaters == [phone])
        try see(300, (monitor, phone))
        #expect(devices.map(\.addresses) == [[phones], [televisions], ["10.0.0.6"], [monitor]])
        #expect(devices.map(\.person) == [child, nil, nil, nil])
    }

    @Test("The phone keeps its own, also when it has taken a newer one than it was given of another's")
    func aNewerLeaseBehindARepeater() throws {
        try see(100, (televisions, phone))
        try see(110, ("10.0.0.7", phone))
        for second in 200...230 { try see(Double(second), ("10.0.0.7", phone), (televisions, phone)) }
        #expect(store.household.repeaters == [phone])
        #expect(devices.map(\.addresses) == [["10.0.0.7"], [televisions]])
    }

    @Test("A child's phone that roams to the repeater by which somebody else is known stays itself")
    func roamingToALaxerOne() throws {
        try store.change { $0.devices[1].person = me }
        for second in stride(from: 100.0, to: 43_000, by: 300) { try see(second, (phones, television)) }
        #expect(devices.map(\.person) == [child, me])
        #expect(devices.map(\.addresses) == [[phones], [televisions]])
    }

    @Test("One that roams to a repeater that nobody knows stays itself, also after a sleep")
    func roamingToAnUnknownOne() throws {
        try see(30, (phones, repeater))
        try see(9_000, (phones, repeater))
        #expect(devices.map(\.addresses) == [[phones], [televisions]])
        #expect(devices[0].hardwareAddress == phone)
    }

    @Test("An address that the router gave to another device is that one's when its last owner is elsewhere")
    func aLeaseThatWentOn() throws {
        try see(100, (phones, television))
        #expect(devices[0].addresses == [phones], "it may be a repeater")
        try see(200, ("10.0.0.9", phone))
        try see(201, (phones, television))
        #expect(devices.map(\.addresses) == [["10.0.0.9"], [phones, televisions]])
        // And so it is for a guest, or after half a day.
        try see(202, (televisions, television))
        try see(202 + Neighbourhood.lease, ("10.0.0.9", "02:00:00:00:00:77"))
        #expect(devices.map(\.addresses) == [[], [phones, televisions], ["10.0.0.9"]])
    }

    @Test(
        "However long it is asked from, an absent child's address holds somebody else back for half a day at most"
    )
    func notForEver() throws {
        try store.change { $0.devices[1].person = me }
        let last = Neighbourhood.lease - 100
        for second in stride(from: 100.0, to: last, by: 300) { try see(second, (phones, television)) }
        #expect(devices[0].addresses == [phones])
        try see(Neighbourhood.lease, (phones, television))
        #expect(devices.map(\.addresses) == [[], [phones, televisions]])
    }

    @Test("Nor when the child asks from elsewhere, over IPv6 too")
    func seenOverIPv6() throws {
        try see(50, ("fd00::1", phone))
        try see(100, (phones, television))
        try see(101, (phones, television), ("fd00::1", phone))
        #expect(devices[0].addresses.contains(phones), "it went home a moment before")
        try see(110, ("fd00::1", phone))
        try see(111, (phones, television))
        #expect(devices.map(\.addresses) == [["fd00::1"], [phones, televisions]])
    }

    @Test("An adult who sleeps does not wake up at a child's address, nor the other way round")
    func theStricterNow() throws {
        try store.change { household in
            household.devices[1].person = me
            household.people[0].session = SleepSession(
                id: UUID(), mode: .manual(durationMinutes: 60), strictness: .strict, startedAt: noon,
                endsAt: noon + 3600, allowed: AppSelection())
        }
        try see(100, (phones, television))
        #expect(devices.map(\.addresses) == [[], [phones, televisions]])
        try see(110, (televisions, phone))
        #expect(devices.map(\.addresses) == [[televisions], [phones]])
    }

    @Test("Where new devices are a child's, a new hardware address is no other device's, but a doorbell's")
    func newDevicesAreAChilds() throws {
        let fresh = "02:00:00:00:00:77"
        try store.change { [child] in $0.newDevicesBelongTo = child }
        try see(10, (televisions, fresh))
        #expect(devices.map(\.person) == [child, nil, child])
        #expect(devices[2].addresses == [televisions] && devices[2].hardwareAddress == fresh)
        // Its owner is back; what only the rule gave away holds nobody back.
        try store.change { $0.devices[1].person = me }
        try see(20, (televisions, television))
        #expect(devices[1].addresses == [televisions] && devices[2].addresses == [])
        try store.change { household in
            household.devices[1].person = nil
            household.devices[1].kind = .safety
        }
        try see(30, (televisions, "02:00:00:00:00:78"))
        #expect(devices[1].addresses == [televisions])
        try see(40, (phones, "02:00:00:00:00:79"))
        #expect(devices[0].addresses == [phones], "it may have roamed")
    }

    @Test("Nor is it one's that was met behind a repeater, where new devices are a child's")
    func metBehindARepeater() throws {
        let (fresh, grandmas) = ("02:00:00:00:00:77", "10.0.0.6")
        for second in 30...60 { try see(Double(second), (phones, phone), (grandmas, phone)) }
        try #require(devices.map(\.addresses) == [[phones], [televisions], [grandmas]])
        try store.change { [child] household in
            household.devices[2].person = me
            household.newDevicesBelongTo = child
        }
        try see(61, (grandmas, phone))
        try see(62, (grandmas, fresh))
        #expect(devices.map(\.person) == [child, nil, me, child])
        #expect(devices[2].hardwareAddress == nil && devices[3].addresses == [grandmas])
        try see(63, ("10.0.0.8", fresh))
        #expect(devices[3].addresses == ["10.0.0.8", grandmas], "nor at a fresh address")
    }

    @Test("What is known of repeaters outlives a restart, and nobody new gets a repeater's hardware address")
    func aRepeaterIsRemembered() throws {
        for second in 30...60 { try see(Double(second), (phones, phone), (televisions, phone)) }
        let stored = try store.queue.read { Reading(try DocumentTable.all($0))?.household }
        #expect(stored?.repeaters == [phone])
        try see(61, (phones, television))
        #expect(devices[0].addresses == [phones], "it is enrolled, and known by its address")
        try store.change { $0.devices.removeFirst() }
        try see(5_000, ("10.0.0.3", phone))
        #expect(devices.last?.addresses == ["10.0.0.3"])
        #expect(devices.last?.hardwareAddress == nil)
    }

    @Test(
        "Where somebody says that there is none, whoever comes by it is that device, and none is found again")
    func ruledOut() throws {
        for second in 30...60 { try see(Double(second), (phones, phone), ("10.0.0.8", phone)) }
        #expect(devices.map(\.addresses) == [[phones], [televisions], ["10.0.0.8"]])
        try store.change { try $0.ruleOutRepeater(behind: $0.devices[0].id, at: noon + 60) }
        for second in 61...90 { try see(Double(second), (phones, phone), ("10.0.0.8", phone)) }
        #expect(store.household.repeaters == [])
        #expect(devices.map { Set($0.addresses) } == [[phones, "10.0.0.8"], [televisions]])
        let stored = try store.queue.read { Reading(try DocumentTable.all($0))?.household }
        #expect(stored?.notRepeaters == [phone])
        try store.change { try $0.allowForRepeater(behind: $0.devices[0].id, at: noon + 90) }
        for second in 91...120 { try see(Double(second), (phones, phone), ("10.0.0.8", phone)) }
        #expect(store.household.repeaters == [phone] && devices.count == 3)
    }

    @Test("Known by a repeater's hardware address at first, a phone learns its own away from it")
    func learnsItsOwn() throws {
        for second in 30...60 { try see(Double(second), (phones, phone), (televisions, phone)) }
        try see(5_000, (phones, "02:00:00:00:00:42"))
        #expect(devices[0].hardwareAddress == "02:00:00:00:00:42")
        try see(9_000, ("10.0.0.8", "02:00:00:00:00:42"))
        #expect(devices.map(\.addresses) == [["10.0.0.8", phones], [televisions]])
    }
}
