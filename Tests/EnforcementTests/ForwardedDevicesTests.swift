import Directory
import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// Devices that a forwarder names by their hardware addresses.
@Suite struct ForwardedDevicesTests {
    private static let me = PersonID(rawValue: 1)
    private static let old = "02:00:00:00:00:01"
    private static let new = "02:00:00:00:00:02"

    private static func device(
        _ id: Int64, person: PersonID? = me, addresses: [String] = [], hardware: String?,
        former: [String] = []
    ) -> Device {
        Device(
            id: DeviceID(rawValue: id), name: "Device \(id)", person: person, addresses: addresses,
            hardwareAddress: hardware, formerHardwareAddresses: former, firstSeen: CompiledFilterTests.now,
            lastSeen: CompiledFilterTests.now)
    }

    private static func asleep(_ devices: [Device]) -> Household {
        var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Me")], devices: devices)
        household.people[0].schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay("22:00")!, end: TimeOfDay("07:00")!, strictness: .strict)
        _ = household.settle(at: CompiledFilterTests.now, newID: UUID.init)
        return household
    }

    private static func filter(_ household: Household) -> Filter {
        var compiler = FilterCompiler(queryName: { "name-\($0.rawValue)" })
        return compiler.compile(CompiledFilterTests.snapshot(household, at: "2026-11-21T22:30:00Z"))
    }

    private static func client(_ hardware: String) throws -> ClientAddress {
        ClientAddress(try #require(MACAddress(hardware)))
    }

    @Test("A device has its rules by its address, its hardware address, and its former ones")
    func oneDevice() throws {
        let filter = Self.filter(
            Self.asleep([Self.device(1, addresses: ["10.0.0.5"], hardware: Self.new, former: [Self.old])]))
        let group = try #require(filter.group(of: ClientAddress("10.0.0.5")!))
        #expect(try filter.group(of: Self.client(Self.new)) == group)
        #expect(try filter.group(of: Self.client(Self.old)) == group)
        #expect(try filter.group(of: Self.client("02:00:00:00:00:03")) == nil)
    }

    @Test("What one device has and another had is shared: the rules of both hold, whatever their order")
    func bothCount() throws {
        let mine = Self.device(1, hardware: Self.new, former: [Self.old])
        let nobodys = Self.device(2, person: nil, hardware: Self.old)
        for devices in [[mine, nobodys], [nobodys, mine]] {
            let filter = Self.filter(Self.asleep(devices))
            #expect(try filter.group(of: Self.client(Self.old)) != nil)
            #expect(try filter.group(of: Self.client(Self.new)) != nil)
        }
    }

    @Test("A doorbell behind a forwarder is not a new device")
    func nobodysDevice() throws {
        var household = Self.asleep([Self.device(1, person: nil, hardware: Self.old)])
        household.newDevicesBelongTo = Self.me
        let filter = Self.filter(household)
        #expect(try filter.group(of: Self.client(Self.old)) == nil)
        #expect(try filter.group(of: Self.client(Self.new)) != nil)
    }

    @Test(
        "The name in DNS over HTTPS leads to the device itself, not to an address that may be another's by now"
    )
    func namedOverHTTPS() throws {
        let filter = Self.filter(
            Self.asleep([
                Self.device(1, addresses: ["10.0.0.5"], hardware: Self.new),
                Self.device(2, addresses: ["10.0.0.6"], hardware: nil),
            ]))
        #expect(filter.devices["name-2"] == ClientAddress(device: 2))
        #expect(filter.devices["name-1"] == ClientAddress(device: 1))
    }

    @Test("A device that asks through a forwarder is seen, counted and refused as itself")
    func seenAndCounted() async throws {
        let clock = ManualClock("2026-11-21T22:30:00Z")
        let store = try HouseholdStore.inMemory(Self.asleep([Self.device(1, hardware: Self.new)]))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let client = try Self.client(Self.new)
        let blocked = BlockedLately(clock: clock.wall) {
            CompiledFilterTests.snapshot(store.household, at: "2026-11-21T22:30:00Z")
        }
        let tags = TagBook()
        _ = tags.names(in: CompiledFilterTests.catalog)
        let usage = UsageCollector(
            store: store, catalog: CompiledFilterTests.catalog, clock: clock.wall, tags: tags, logger: logger)
        let collected = Collected(
            clients: [client, try Self.client("02:00:00:00:00:09")],
            refused: [RefusedName(client: client, name: "www.tiktok.com")],
            checkQuestions: [
                CheckQuestion(id: "1", family: .either, client: client, type: 1, isDatagram: true)
            ])
        let heard = Heard()
        await Rounds(
            collect: { collected },
            sightings: Sightings(
                store: store, clock: clock.wall, neighbours: { Neighbours() }, logger: logger),
            usage: usage, blocked: blocked, onUse: {}, onCheck: { traces in heard.note(traces) }
        ).make()
        #expect(store.household.devices.map(\.hardwareAddress) == [Self.new, "02:00:00:00:00:09"])
        #expect(store.household.devices.flatMap { $0.addresses }.isEmpty)
        #expect(
            blocked.names(of: DeviceID(rawValue: 1), person: Self.me).map(\.name) == ["www.tiktok.com"])
        #expect(heard.addresses == [Self.new])
    }

    private final class Heard: Sendable {
        private let told = Mutex<[String]>([])
        var addresses: [String] { told.withLock { $0 } }

        func note(_ traces: CheckTraces) { told.withLock { $0 += traces.questions.map(\.address) } }
    }
}
