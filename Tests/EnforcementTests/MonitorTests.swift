import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// The loop with a manual clock: due changes happen at their instant, even if they cannot be written.
@Suite struct MonitorTests {
    static let me = PersonID(rawValue: 1)

    /// A monitor over a store in memory; records everything that the monitor reports.
    final class Scene: Sendable {
        let clock: ManualClock
        let store: HouseholdStore
        let monitor: Monitor
        private let said = Mutex<(filters: [Filter], snapshots: [Snapshot], applied: [Int])>(([], [], []))

        init(
            _ instant: String, _ household: Household, relays: @escaping @Sendable () -> Bool = { true }
        ) throws {
            clock = ManualClock(instant)
            store = try HouseholdStore.inMemory(household)
            let box = Box()
            monitor = Monitor(
                store: store, catalog: CompiledFilterTests.catalog, clock: clock.wall,
                effects: .init(
                    enforce: { box.scene?.hear($0) }, onChange: { box.scene?.hear($0) },
                    onApplied: { box.scene?.hear($0) }),
                logger: Logger(label: "test"), relays: relays,
                uptime: { [clock] in .uptimeNanoseconds(UInt64(clock.now.timeIntervalSince1970 * 1e9)) })
            box.scene = self
        }

        private final class Box: @unchecked Sendable { weak var scene: Scene? }

        private func hear(_ filter: Filter) { said.withLock { $0.filters.append(filter) } }
        private func hear(_ snapshot: Snapshot) { said.withLock { $0.snapshots.append(snapshot) } }
        private func hear(_ revision: Int) { said.withLock { $0.applied.append(revision) } }

        var snapshots: [Snapshot] { said.withLock { $0.snapshots } }
        var applied: [Int] { said.withLock { $0.applied } }
        var filters: [Filter] { said.withLock { $0.filters } }

        func isBlocked(_ name: String = "tiktok.com") throws -> Bool {
            try CompiledFilterTests.blocks(try #require(filters.last), name, "10.0.0.1")
        }

        func step(_ instant: String) async -> SleepSession? {
            clock.set(instant)
            await monitor.step()
            return store.household.people[0].session
        }
    }

    static func household(
        _ start: String = "22:00", _ end: String = "07:00", _ mode: StrictnessMode = .flexible
    ) -> Household {
        var household = Household(timeZone: "Europe/Berlin", people: [Person(id: me, name: "Me")])
        household.people[0].schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(start)!, end: TimeOfDay(end)!, strictness: mode)
        household.devices = [CompiledFilterTests.device(0, person: me)]
        return household
    }

    @Test("A revision of the store counts as applied once its filter is handed over, not before")
    func applies() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z", Self.household())
        await scene.monitor.step()
        #expect(scene.applied == [scene.store.revision])
        try scene.store.change { household in
            _ = try household.startSession(
                Self.me, durationMinutes: 60, strictness: .flexible, id: UUID(), at: scene.clock.now)
        }
        #expect(scene.store.revision == scene.applied[0] + 1 && scene.filters.count == 1)
        await scene.monitor.step()
        #expect(scene.applied.last == scene.store.revision && scene.filters.count == 2)
        #expect(try scene.isBlocked())
        try scene.store.change { _ in }
        #expect(scene.applied.last == scene.store.revision, "what changed nothing is no revision")
    }

    @Test("Names of relayed apps lead here only while this server answers on their ports; the choice stays")
    func relaysOnlyWhatItServes() async throws {
        let served = Served()
        var household = Self.household()
        household.people[0].relayed = RelayedApps(chosen: ["tiktok"])
        let scene = try Scene("2026-11-21T12:00:00Z", household, relays: { served.value })
        func isRelayed() throws -> Bool {
            try #require(scene.filters.last).groups.contains { $0.rules.contains { $0.action == .relay } }
        }
        await scene.monitor.step()
        #expect(try isRelayed())
        for isServed in [false, true] {
            served.value = isServed
            await scene.monitor.step()
            #expect(try isRelayed() == isServed)
            #expect(scene.snapshots.last?.household.people[0].relayed.chosen == ["tiktok"])
        }
    }

    private final class Served: Sendable {
        private let state = Mutex(true)
        var value: Bool {
            get { state.withLock { $0 } }
            set { state.withLock { $0 = newValue } }
        }
    }

    @Test("SI-109: eleven to half past six, strict") func elevenToHalfPastSix() async throws {
        let scene = try Scene("2026-11-21T21:00:00Z", Self.household("23:00", "06:30", .strict))
        #expect(await scene.step("2026-11-21T21:59:59Z") == nil)
        #expect(try !scene.isBlocked())
        let night = await scene.step("2026-11-21T22:00:00Z")
        #expect(try scene.isBlocked())
        #expect(night?.strictness == .strict && night?.endsAt == ManualClock.date("2026-11-22T05:30:00Z"))
        #expect(await scene.step("2026-11-22T05:29:59Z") != nil)
        #expect(await scene.step("2026-11-22T05:30:00Z") == nil)
        #expect(try !scene.isBlocked())
    }

    @Test("SI-094: what fell due while the server was down") func overdue() async throws {
        var household = Self.household("23:30", "07:00")
        household.people[0].session = .manual(
            id: UUID(), durationMinutes: 120, strictness: .strict,
            at: ManualClock.date("2026-11-21T20:00:00Z"),
            allowed: AppSelection())
        let scene = try Scene("2026-11-22T01:00:00Z", household)
        await scene.monitor.step()
        let session = scene.store.household.people[0].session
        #expect(
            session?.night == CivilDate("2026-11-21"),
            "the manual one ended at 22:00, the night began at 23:30")
        #expect(try scene.isBlocked())
    }

    @Test("C-12: a night that was reset does not come back") func resetNight() async throws {
        let scene = try Scene("2026-11-21T22:00:00Z", Self.household())
        #expect(await scene.step("2026-11-21T22:00:01Z") != nil)
        try scene.store.change { try $0.emergencyReset(Self.me, at: scene.clock.now) }
        #expect(await scene.step("2026-11-21T22:00:02Z") == nil)
        #expect(await scene.step("2026-11-22T04:00:00Z") == nil)
        #expect(await scene.step("2026-11-22T21:00:00Z") != nil, "the next bedtime")
    }

    @Test func aFullDiskStopsNeitherTheNightNorItsEnd() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let writer = try HouseholdStore(directory: directory, now: ManualClock.date("2026-11-21T12:00:00Z"))
        try writer.change { household in
            household.timeZone = "Europe/Berlin"
            household.people[0].schedule = Self.household().people[0].schedule
        }
        // A store that may only read refuses every change, as a full disk does.
        let reader = try HouseholdStore.readOnly(directory: directory)
        let clock = ManualClock("2026-11-21T20:00:00Z")
        let latest = Mutex<Snapshot?>(nil)
        let monitor = Monitor(
            store: reader, catalog: CompiledFilterTests.catalog, clock: clock.wall,
            effects: .init(enforce: { _ in }, onChange: { snapshot in latest.withLock { $0 = snapshot } }),
            logger: Logger(label: "test"))
        clock.set("2026-11-21T21:00:00Z")
        await monitor.step()
        let first = latest.withLock { $0 }?.household.people[0].session
        #expect(first != nil)
        clock.set("2026-11-22T03:00:00Z")
        await monitor.step()
        #expect(
            latest.withLock { $0 }?.household.people[0].session?.id == first?.id, "one night, one session")
        clock.set("2026-11-22T06:00:00Z")
        await monitor.step()
        #expect(latest.withLock { $0 }?.household.people[0].session == nil)
    }

    @Test func aStepWithoutNewsSaysNothing() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z", Self.household())
        for _ in 0..<5 {
            scene.clock.advance(1)
            await scene.monitor.step()
        }
        #expect(scene.snapshots.count == 1)
        #expect(scene.filters.count == 1)
    }

    @Test func theLoopActsAtTheInstantItself() async throws {
        let scene = try Scene("2026-11-21T20:59:58Z", Self.household())
        let loop = Task { await scene.monitor.run() }
        defer { loop.cancel() }
        while scene.filters.isEmpty { await Task.yield() }
        #expect(try !scene.isBlocked())
        scene.clock.set("2026-11-21T21:00:00Z")
        while scene.snapshots.last?.household.people[0].session == nil { await Task.yield() }
        #expect(try scene.isBlocked())
        #expect(scene.snapshots.last?.instant == ManualClock.date("2026-11-21T21:00:00Z"))
    }

    @Test func aChangeByFormTakesEffectWithoutATick() async throws {
        let scene = try Scene("2026-11-21T12:00:00Z", Self.household())
        let loop = Task { await scene.monitor.run() }
        defer { loop.cancel() }
        while scene.filters.isEmpty { await Task.yield() }
        try scene.store.change {
            try $0.startSession(
                Self.me, durationMinutes: 60, strictness: .strict, id: UUID(), at: scene.clock.now)
        }
        while try !scene.isBlocked() { await Task.yield() }
    }
}
