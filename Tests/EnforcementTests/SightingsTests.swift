import DNS
import Foundation
import Logging
import Policy
import Store
import Synchronization
import Testing

@testable import Enforcement

@Suite("Which device has which address, told once a second by questions and by the neighbour table")
struct SightingsTests {
    private static let (phone, television) = ("02:00:00:00:00:01", "02:00:00:00:00:02")
    private static let child = PersonID(rawValue: 2)

    @Test("A device that is back at an address that another took is itself again, even without a question")
    func backWithoutAQuestion() throws {
        let clock = ManualClock("2026-11-21T22:30:00Z")
        let devices = [(Self.phone, "10.0.0.1", Self.child), (Self.television, "10.0.0.2", nil)].enumerated()
            .map { index, each in
                Device(
                    id: DeviceID(rawValue: Int64(index + 1)), name: "Device", person: each.2,
                    addresses: [each.1], hardwareAddress: each.0, firstSeen: clock.now, lastSeen: clock.now)
            }
        let people = [
            Person(id: PersonID(rawValue: 1), name: "Me"), Person(id: Self.child, name: "Ada", role: .child),
        ]
        let store = try HouseholdStore.inMemory(Household(timeZone: "UTC", people: people, devices: devices))
        let table = Mutex<[String: String]>([:])
        let reads = Mutex(0)
        let sightings = Sightings(
            store: store, clock: clock.wall,
            hardwareAddresses: {
                reads.withLock { $0 += 1 }
                return table.withLock { $0 }
            },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var addresses: [[String]] { store.household.devices.map(\.addresses) }

        sightings.note([])
        #expect(reads.withLock { $0 } == 0, "nobody is looked for where nothing was taken")
        table.withLock { $0 = ["10.0.0.2": Self.television] }
        sightings.note([try #require(ClientAddress("10.0.0.2"))])
        table.withLock { $0 = ["10.0.0.2": Self.phone] }
        sightings.note([try #require(ClientAddress("10.0.0.2"))])
        #expect(addresses == [["10.0.0.2", "10.0.0.1"], []])
        sightings.note([])
        #expect(addresses == [["10.0.0.2", "10.0.0.1"], []])
        table.withLock { $0 = ["10.0.0.2": "02:00:00:00:00:77"] }
        sightings.note([])
        #expect(addresses == [["10.0.0.2", "10.0.0.1"], []], "nobody else is looked for")
        table.withLock { $0 = ["10.0.0.2": Self.television] }
        sightings.note([])
        #expect(addresses == [["10.0.0.1"], ["10.0.0.2"]])
        let before = reads.withLock { $0 }
        sightings.note([])
        #expect(reads.withLock { $0 } == before)
    }
}
