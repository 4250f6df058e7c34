import Foundation
import Logging
import NIOCore
import Policy
import Store
import Synchronization
import Testing

@testable import DNS
@testable import Enforcement

/// A limit that is reached while the loop runs: stored, applied, and logged once.
@Suite struct MonitorLimitsTests {
    static let tiktok = LimitTarget.app("tiktok")

    @Test("TH-027: a reached limit is stored before it is applied, and logged once (TH-008)")
    func reached() async throws {
        let me = MonitorTests.me
        let clock = ManualClock("2026-11-21T12:00:00Z")
        var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Me")])
        household.people[0].limits.list = [UsageLimit(id: UUID(), target: Self.tiktok, minutes: 30)]
        household.devices = [CompiledFilterTests.device(0, person: me)]
        let store = try HouseholdStore.inMemory(household)
        let minutes = Mutex(29)
        /// Whether the filter blocked, and whether the store knew by then.
        let heard = Mutex<[(isBlocked: Bool, isStored: Bool)]>([])
        let monitor = Monitor(
            store: store, catalog: CompiledFilterTests.catalog, clock: clock.wall,
            effects: .init(
                enforce: { filter in
                    let isBlocked =
                        (try? CompiledFilterTests.blocks(filter, "tiktok.com", "10.0.0.1")) == true
                    let isStored = !store.household.people[0].limits.reached.isEmpty
                    heard.withLock { $0.append((isBlocked, isStored)) }
                }, onChange: { _ in }),
            logger: Logger(label: "test"),
            usage: { _, _, _ in
                minutes.withLock { UsageTotals([me: [Self.tiktok: TargetUse(day: $0, week: $0)]]) }
            },
            uptime: { .uptimeNanoseconds(UInt64(clock.now.timeIntervalSince1970 * 1e9)) })
        func step(_ instant: String, used: Int) async {
            // First, because the loop's own timer wakes with the clock.
            minutes.withLock { $0 = used }
            clock.set(instant)
            await monitor.step()
        }

        await step("2026-11-21T12:00:00Z", used: 29)
        #expect(try store.log(of: me).isEmpty)
        for minute in 1...5 { await step("2026-11-21T12:0\(minute):00Z", used: 29 + minute) }
        #expect(heard.withLock { $0.last?.isBlocked } == true)
        #expect(heard.withLock { $0.allSatisfy { !$0.isBlocked || $0.isStored } })
        let log = try store.log(of: me)
        #expect(log.map(\.kind) == [.limitReached])
        #expect(log[0].instant == ManualClock.date("2026-11-21T12:01:00Z"))
        // The next day begins anew.
        await step("2026-11-22T00:00:00Z", used: 0)
        #expect(heard.withLock { $0.last?.isBlocked } == false)
        await step("2026-11-22T09:00:00Z", used: 30)
        #expect(try store.log(of: me).map(\.kind) == [.limitReached, .limitReached])
    }
}
