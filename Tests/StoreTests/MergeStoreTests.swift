import Foundation
import Policy
import Testing

@testable import Store

@Suite struct MergeStoreTests {
    @Test(
        "A merge that was undone is on the disk as it was before: both rows, their addresses, whom they are not"
    )
    func undone() throws {
        let scratch = Scratch()
        let devices = [
            Device(
                id: DeviceID(rawValue: 1), name: "Phone", networkName: "phone", person: me,
                addresses: ["10.0.0.2", "fd00::2"], hardwareAddress: "02:00:00:00:00:02",
                formerHardwareAddresses: ["02:00:00:00:00:01"], firstSeen: noon - 9_000, lastSeen: noon - 500),
            Device(
                id: DeviceID(rawValue: 2), name: "Other", addresses: [], toldApart: [DeviceID(rawValue: 3)],
                firstSeen: noon - 9_000, lastSeen: noon),
            Device(
                id: DeviceID(rawValue: 3), name: "phone", isNamed: false, networkName: "phone",
                addresses: ["10.0.0.3"], hardwareAddress: "02:00:00:00:00:03",
                toldApart: [DeviceID(rawValue: 2)], firstSeen: noon - 300, lastSeen: noon),
        ]
        let before = try tapAndUndo(try scratch.open(), devices)
        #expect(try scratch.open().household == before)
    }

    /// Returns the household from before the tap.
    private func tapAndUndo(_ store: HouseholdStore, _ devices: [Device]) throws -> Household {
        try store.change { $0.devices = devices }
        let before = store.household
        let merge = try store.change { household in
            try household.merge(DeviceID(rawValue: 3), into: DeviceID(rawValue: 1), at: noon)
        }
        #expect(store.household.devices.map(\.id.rawValue) == [1, 2])
        try store.change { household in try household.undo(merge, at: noon + 60) }
        #expect(store.household == before)
        return before
    }
}
