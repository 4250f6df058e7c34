import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import Enforcement

/// While nothing passes by itself, the loop asks the rules only now and then.
@Suite struct MonitorRestTests {
    /// A monitor that runs, on a clock whose sleepers wake every second.
    private final class Scene: Sendable {
        let store: HouseholdStore
        let monitor: Monitor
        private let clock: ManualClock
        private let uptime = Mutex(100)
        private let steps = Mutex(0)
        private let served = Mutex(true)

        init(_ household: Household, _ instant: String = "2026-11-21T12:00:00Z") throws {
            let (clock, store) = (ManualClock(instant), try HouseholdStore.inMemory(household))
            let box = Box()
            (self.clock, self.store) = (clock, store)
            monitor = Monitor(
                store: store, catalog: CompiledFilterTests.catalog,
                clock: WallClock(
                    now: { clock.now },
                    sleep: { await clock.wall.sleep(min($0, clock.now.addingTimeInterval(1))) }),
                effects: .init(
                    enforce: { _ in }, onChange: { _ in },
                    onApplied: { _ in box.scene?.steps.withLock { $0 += 1 } }),
                logger: Logger(label: "test"), relays: { box.scene?.served.withLock { $0 } ?? true },
                uptime: { .uptimeNanoseconds(UInt64(box.scene?.uptime.withLock { $0 } ?? 0) * 1_000_000_000) }
            )
            box.scene = self
        }

        private final class Box: @unchecked Sendable { weak var scene: Scene? }

        var count: Int { steps.withLock { $0 } }

        /// Lets a second pass; `set` moves the wall clock only.
        func pass(_ seconds: Int = 1, set: TimeInterval = 0) async throws {
            for _ in 0..<seconds {
                uptime.withLock { $0 += 1 }
                clock.advance(1 + set)
                try await untilAsleep()
            }
        }

        func relay(_ isServed: Bool) { served.withLock { $0 = isServed } }

        /// Until the monitor sleeps, after so many steps.
        func untilAsleep(after steps: Int = 0) async throws {
            for _ in 0..<2_000 where clock.sleepers == 0 || count < steps {
                try await Task.sleep(for: .milliseconds(1))
            }
            #expect(clock.sleepers == 1 && count >= steps)
        }
    }

    private func isRunning(_ scene: Scene, _ body: () async throws -> Void) async throws {
        let run = Task { await scene.monitor.run() }
        // The first step, and the one for the household that the store tells at once.
        try await scene.untilAsleep(after: 2)
        try await body()
        run.cancel()
        try scene.store.change { $0.newDevicesBelongTo = nil }
        await run.value
    }

    @Test(
        "A household at rest is asked within half a minute; a clock that was set and a lost port are seen at once"
    )
    func rests() async throws {
        let scene = try Scene(MonitorTests.household())
        try await isRunning(scene) {
            let first = scene.count
            // The last second is kept free, because a second of the clock may come late.
            try await scene.pass(Int(Household.foresight) - 2)
            #expect(scene.count == first)
            try await scene.pass()
            #expect(scene.count == first + 1)
            try await scene.pass(3, set: 2)
            #expect(scene.count == first + 4)
            scene.relay(false)
            try await scene.pass()
            #expect(scene.count == first + 5)
        }
    }

    @Test("What ends by itself ends at its second, also if it is not among the due instants")
    func isOnTime() async throws {
        var household = MonitorTests.household()
        household.devices[0].helpUntil = ManualClock.date("2026-11-21T12:00:37Z")
        household.people[0].antiRot.override.overrideExpiresAt = ManualClock.date("2026-11-21T12:00:25Z")
        let scene = try Scene(household)
        try await isRunning(scene) {
            for second in 1...60 {
                try await scene.pass()
                let stored = scene.store.household
                #expect((stored.devices[0].helpUntil == nil) == (second >= 37), "after \(second) s")
                #expect(
                    (stored.people[0].antiRot.override.overrideExpiresAt == nil) == (second >= 25),
                    "after \(second) s")
            }
        }
    }
}
