import Foundation
import Policy
import Testing

@testable import Store

/// Where new devices are a child's, nothing that a child can do without a parent makes a device somebody else's.
@Suite struct ChildsRuleTests {
    private let store: HouseholdStore

    private let phone = "02:00:00:00:00:01"
    private let extender = "02:00:00:00:00:02"
    private let phones = "10.0.0.1"
    private let extenders = "10.0.0.2"
    private let child = PersonID(rawValue: 2)

    /// The phone is the child's by the rule for new devices alone, the extender nobody's by a parent's word.
    init() throws {
        let people = [Person(id: me, name: "Me"), Person(id: child, name: "Ada", role: .child)]
        store = try .inMemory(Household(timeZone: "UTC", people: people), log: .silent)
        try store.change { [child] in $0.newDevicesBelongTo = child }
        try see(0, (phones, phone), (extenders, extender))
        try store.change { household in
            household.devices[1].person = nil
            household.devices[1].isNamed = true
        }
    }

    private func see(_ seconds: TimeInterval, _ sightings: (String, String?)...) throws {
        try store.saw(
            sightings.map { Sighting(address: $0.0, hardwareAddress: $0.1) },
            at: noon.addingTimeInterval(seconds))
    }

    private var devices: [Device] { store.household.devices }

    @Test(
        "A phone that only the rule made the child's stays so behind an extender that nobody has found yet",
        arguments: [nil, me])
    func roams(extendersOwner: PersonID?) throws {
        try store.change { $0.devices[1].person = extendersOwner }
        try see(5, (phones, phone))
        for second in 30...60 { try see(Double(second), (phones, extender)) }
        #expect(store.household.device(at: phones)?.person == child)
    }

    @Test("Nor does it become an adult's on the way from one repeater to another that nobody has found yet")
    func roamsFromOneToAnother() throws {
        try store.change { [child] household in
            household.devices[1].person = me
            household.devices.append(.example(3, person: child))
        }
        try see(5, ("10.0.0.3", nil))
        for second in 30...60 { try see(Double(second), ("10.0.0.3", extender)) }
        #expect(store.household.device(at: "10.0.0.3")?.person == child)
        // After a quiet quarter of an hour it is a lease that went on.
        try see(1_000, ("10.0.0.3", extender))
        #expect(store.household.device(at: "10.0.0.3")?.person == me)
    }

    @Test("A fresh hardware address at an adult's address is the child's, however strictly the adult is held")
    func adultsAsleep() throws {
        try store.change { household in
            household.devices[1].person = me
            household.people[0].session = .example(minutes: 480, strictness: .strict)
        }
        try see(30, (extenders, "02:00:00:00:00:77"))
        #expect(devices.map(\.person) == [child, me, child])
        #expect(store.household.device(at: extenders)?.person == child)
    }
}
