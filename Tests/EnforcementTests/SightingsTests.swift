import DNS
import Directory
import Foundation
import Logging
import Policy
import Store
import Synchronization
import Testing

@testable import Enforcement

@Suite("Which device has which address, told once a second by questions and by the neighbour table")
struct SightingsTests {
    @Test("A device that asks is met with its hardware address of now, and a router is said to be one")
    func asked() async throws {
        let clock = ManualClock("2026-11-21T22:30:00Z")
        let me = PersonID(rawValue: 1)
        let store = try HouseholdStore.inMemory(
            Household(timeZone: "UTC", newDevicesBelongTo: me, people: [Person(id: me, name: "Me")]))
        let (phone, router) = (ClientAddress("10.0.0.2")!, ClientAddress("10.0.0.1")!)
        let table = Neighbours([phone: MACAddress("02:00:00:00:00:02")!])
        let sightings = Sightings(
            store: store, clock: clock.wall, neighbours: { table }, routers: { _ in [router] },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        await sightings.note([])
        #expect(store.household.devices.isEmpty)
        await sightings.note([phone, router])
        let met = store.household.devices.sorted { $0.addresses[0] < $1.addresses[0] }
        #expect(met.map(\.hardwareAddress) == [nil, "02:00:00:00:00:02"])
        #expect(met.map(\.person) == [nil, me])
    }
}
