import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// A limit of half an hour with an hour used today, on a clock that is not synchronised.
@Suite("A clock that is ahead for a while costs no minutes")
struct ClockAheadTests {
    private static let me = PersonID(rawValue: 1)
    private static let tiktok = LimitTarget.app("tiktok")
    private static let weeks: TimeInterval = 20 * 86_400

    /// The right time, how far the clock is ahead of it, and what the kernel says about the clock.
    private struct Time {
        var right = ManualClock.date("2026-11-21T12:00:00Z")
        var ahead: TimeInterval = 0
        var isSynchronised = false
    }

    private final class Scene: Sendable {
        let time = Mutex(Time())
        let store: HouseholdStore

        init() throws {
            var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Me")])
            household.people[0].limits.list = [UsageLimit(id: UUID(), target: tiktok, minutes: 30)]
            store = try .inMemory(household)
            let now = time.withLock { $0.right }
            var batch = UsageBatch()
            batch.hours = [
                HourMask(
                    person: me, device: DeviceID(rawValue: 1), app: "tiktok",
                    hour: Int(now.timeIntervalSince1970) / 3600 - 1, source: .dns, minutes: HourMask.full)
            ]
            try store.recordUsage(batch)
        }

        var clock: WallClock {
            WallClock(
                now: { self.time.withLock { $0.right + $0.ahead } },
                sleep: { _ in try? await Task.sleep(for: .seconds(3600)) })
        }

        func server() -> Server {
            let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            let usage = UsageCollector(
                store: store, catalog: TagBookTests.catalog, clock: clock, tags: TagBook(), logger: logger)
            let monitor = Monitor(
                store: store, catalog: TagBookTests.catalog, clock: clock,
                effects: .init(enforce: { _ in }, onChange: { _ in }), logger: logger, usage: usage.totals,
                uptime: { [self] in
                    let right = time.withLock { $0.right }
                    return .uptimeNanoseconds(UInt64(right.timeIntervalSince1970) * 1_000_000_000)
                })
            return Server(scene: self, usage: usage, monitor: monitor)
        }
    }

    /// From one start of the server to the next.
    private struct Server {
        let scene: Scene
        let usage: UsageCollector
        let monitor: Monitor

        /// Runs this many rounds, a second or more apart, on a clock that is ahead from now on.
        func rounds(_ count: Int, ahead: TimeInterval = 0) async throws {
            scene.time.withLock { $0.ahead = ahead }
            for _ in 0..<count {
                _ = usage.note([Count]())
                await monitor.step()
                let (now, isSynchronised) = (scene.clock.now(), scene.time.withLock { $0.isSynchronised })
                usage.forget(at: now, isSynchronised: isSynchronised)
                try scene.store.forget(at: now, isSynchronised: isSynchronised)
                scene.time.withLock { $0.right += 1 }
            }
        }

        /// Today's minutes, and whether the limit is known to be reached.
        var today: (used: Int, isReached: Bool) {
            let household = scene.store.household
            let totals = usage.totals(for: household, catalog: TagBookTests.catalog, at: scene.clock.now())
            return (totals[me, tiktok].day, !household.people[0].limits.reached.isEmpty)
        }
    }

    @Test("Three seconds twenty days ahead: when the clock is right again, the limit is reached as before")
    func forSeconds() async throws {
        let server = try Scene().server()
        try await server.rounds(3)
        #expect(server.today == (60, true))
        try await server.rounds(3, ahead: Self.weeks)
        #expect(server.today == (0, false), "it is another day by then")
        try await server.rounds(3)
        #expect(server.today == (60, true))
    }

    @Test("A restart meanwhile does not cost them either")
    func restarted() async throws {
        let scene = try Scene()
        try await scene.server().rounds(3)
        scene.time.withLock { $0.ahead = Self.weeks }
        let next = scene.server()
        try await next.rounds(3, ahead: Self.weeks)
        try await next.rounds(3)
        #expect(next.today == (60, true))
    }

    @Test("Minutes that were granted for today stay granted")
    func granted() async throws {
        let scene = try Scene()
        let server = scene.server()
        try await server.rounds(3)
        let today = CivilZone.utc.date(of: scene.clock.now())
        let grant = ExtraTime(target: Self.tiktok, day: today, minutes: 15)
        try scene.store.change { $0.people[0].limits.extraTime = [grant] }
        try await server.rounds(3, ahead: Self.weeks)
        try await server.rounds(3)
        #expect(scene.store.household.people[0].limits.extraTime == [grant])
    }

    @Test("A clock that proves right is followed as soon as it is synchronised")
    func followed() async throws {
        let scene = try Scene()
        let server = scene.server()
        try await server.rounds(3)
        try await server.rounds(3, ahead: Self.weeks)
        #expect(!server.usage.ledger.apps(of: Self.me).isEmpty)
        scene.time.withLock { $0.isSynchronised = true }
        try await server.rounds(1, ahead: Self.weeks)
        #expect(server.usage.ledger.apps(of: Self.me).isEmpty)
    }
}
