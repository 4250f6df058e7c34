import Foundation
import Policy
import Testing

@testable import Store

/// Devices are most of a large household, and most changes leave them as they are.
@Suite struct ManyDevicesTests {
    private func filled() throws -> (Scratch, HouseholdStore) {
        let scratch = Scratch()
        let store = try scratch.open()
        try store.change { household in
            household.devices = (1...50).map { number in
                Device(
                    id: DeviceID(rawValue: number), name: "Device \(number)", person: me,
                    addresses: ["10.0.0.\(number)"], firstSeen: noon, lastSeen: noon)
            }
        }
        return (scratch, store)
    }

    @Test("A press leaves the devices the same array, which compares at once") func sameArray() throws {
        let (_, store) = try filled()
        func place() -> UnsafePointer<Device>? {
            store.household.devices.withUnsafeBufferPointer { $0.baseAddress }
        }
        let before = place()
        try store.change { household in
            _ = household.settle(at: noon, newID: UUID.init)
            _ = try household.startSession(
                me, durationMinutes: 60, strictness: .flexible, id: UUID(), at: noon)
        }
        #expect(place() == before && store.household.people[0].session != nil)
    }

    @Test("The copy of the rules follows all that changed, came or went") func copyFollows() throws {
        let (scratch, store) = try filled()
        let changes: [(inout Household) -> Void] = [
            { $0.devices[7].name = "Phone" }, { $0.devices[7].lastSeen = noon + 60 },
            { $0.devices.remove(at: 3) },
            { household in
                household.devices.append(
                    Device(
                        id: DeviceID(rawValue: 60), name: "New", addresses: ["10.0.1.1"], firstSeen: noon,
                        lastSeen: noon))
            }, { $0.people[0].name = "Ada" }, { $0.devices[7].person = nil },
            { $0.people[0].session = .example(from: noon) }, { $0.people[0].session = nil },
            { $0.people.append(Person(id: PersonID(rawValue: 99), name: "Guest")) },
            { $0.people.removeLast() }, { $0.offersHelp.toggle() },
        ]
        for change in changes {
            try store.change { change(&$0) }
            #expect(LastKnown.read(directory: scratch.path)?.entities == store.household.entities)
        }
    }
}
