import Directory
import Foundation
import NIOCore
import Policy
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// From names that DNS refused to what a device's page may show.
@Suite struct BlockedLatelyTests {
    private static let me = PersonID(rawValue: 1)

    /// Person 1 sleeps, with TikTok allowed; device 1 is theirs, device 4 has no owner.
    static func snapshot(at now: Date, isAsleep: Bool = true) throws -> Snapshot {
        var household = Household(
            timeZone: "Europe/Berlin",
            people: [Person(id: me, name: "Me", allowed: AppSelection(apps: ["tiktok"]))],
            devices: [CompiledFilterTests.device(0, person: me), CompiledFilterTests.device(3, person: nil)])
        household.people[0].antiRot.restricted = AppSelection(apps: ["tiktok"])
        household.people[0].antiRot.windows = []
        if isAsleep {
            try household.startSession(me, durationMinutes: 60, strictness: .strict, id: UUID(), at: now)
        }
        return Snapshot(
            revision: isAsleep ? 1 : 2, instant: now, household: household, catalog: TagBookTests.catalog,
            verdicts: household.evaluate(at: now))
    }

    static func refused(_ names: String..., by address: String = "10.0.0.1") throws -> [RefusedName] {
        let client = try #require(ClientAddress(address))
        return names.map { RefusedName(client: client, name: $0) }
    }

    @Test("By device, with the layer that refused it")
    func remembers() throws {
        let clock = ManualClock("2026-11-20T22:00:00Z")
        let snapshot = try Self.snapshot(at: clock.now)
        let blocked = BlockedLately(clock: clock.wall) { snapshot }
        blocked.note(try Self.refused("m.youtube.com", "example.org"))
        blocked.note(try Self.refused("shop.example", by: "10.0.0.4"))
        blocked.note(try Self.refused("other.example", by: "10.0.0.77"))
        let names = blocked.names(of: DeviceID(rawValue: 1), person: Self.me)
        #expect(names.map(\.name) == ["example.org", "m.youtube.com"])
        #expect(names.allSatisfy { $0.layer == .sleep })
        #expect(blocked.names(of: DeviceID(rawValue: 4), person: Self.me).isEmpty)
        #expect(blocked.names(of: DeviceID(rawValue: 1), person: PersonID(rawValue: 2)).isEmpty)
    }

    @Test("It tells on which known devices a VPN was looked up")
    func vpn() throws {
        let clock = ManualClock("2026-11-20T22:00:00Z")
        let snapshot = try Self.snapshot(at: clock.now)
        let blocked = BlockedLately(clock: clock.wall) { snapshot }
        let refused = try Self.refused("api.nordvpn.com") + Self.refused("nordvpn.com", by: "10.0.0.4")
        #expect(blocked.note(refused) == [DeviceID(rawValue: 1)])
        #expect(blocked.note(try Self.refused("example.org")).isEmpty)
    }

    @Test("A name that sleep allows and windows block is told as the windows'; an open name is not told")
    func layers() throws {
        let clock = ManualClock("2026-11-20T22:00:00Z")
        let (asleep, awake) = (
            try Self.snapshot(at: clock.now), try Self.snapshot(at: clock.now, isAsleep: false)
        )
        let latest = Mutex(asleep)
        let blocked = BlockedLately(clock: clock.wall) { latest.withLock { $0 } }
        blocked.note(try Self.refused("www.tiktok.com"))
        let names = blocked.names(of: DeviceID(rawValue: 1), person: Self.me)
        #expect(names.map(\.layer) == [.windows])
        latest.withLock { $0 = awake }
        blocked.note(try Self.refused("m.youtube.com"))
        #expect(blocked.names(of: DeviceID(rawValue: 1), person: Self.me).map(\.name) == ["www.tiktok.com"])
    }

    @Test("A round without questions forgets names that are ten minutes old, whatever the clock says")
    func forgets() throws {
        let clock = ManualClock("2026-11-20T22:00:00Z")
        let snapshot = try Self.snapshot(at: clock.now)
        let uptime = Mutex(NIODeadline.uptimeNanoseconds(0))
        let blocked = BlockedLately(
            clock: clock.wall, uptime: { uptime.withLock { $0 } }, snapshot: { snapshot })
        blocked.note(try Self.refused("example.org"))
        uptime.withLock { $0 = $0 + .seconds(599) }
        clock.advance(86_400)
        blocked.note([])
        #expect(blocked.names(of: DeviceID(rawValue: 1), person: Self.me).count == 1)
        uptime.withLock { $0 = $0 + .seconds(1) }
        blocked.note([])
        #expect(blocked.names(of: DeviceID(rawValue: 1), person: Self.me).isEmpty)
    }

    @Test("Before the first snapshot nothing is remembered") func noSnapshot() throws {
        let blocked = BlockedLately(clock: ManualClock("2026-11-20T22:00:00Z").wall) { nil }
        blocked.note(try Self.refused("example.org"))
        #expect(blocked.names(of: DeviceID(rawValue: 1), person: Self.me).isEmpty)
    }
}
