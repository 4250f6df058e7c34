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

/// When a round is due. What a round does is tried with use, sightings and refused names.
@Suite struct RoundsTests {
    @Test("At rest none is due, but after news, a change, and when a refused name is ten minutes old")
    func due() async throws {
        let clock = ManualClock("2026-11-20T22:00:00Z")
        let store = try HouseholdStore.inMemory(
            Household(timeZone: "Europe/Berlin", people: [Person(id: PersonID(rawValue: 1), name: "Me")]))
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let uptime = Mutex(NIODeadline.uptimeNanoseconds(0))
        let news = Mutex(false)
        let refused = Mutex<[RefusedName]>([])
        let snapshot = try BlockedLatelyTests.snapshot(at: clock.now)
        let rounds = Rounds(
            hasNews: { news.withLock { $0 } },
            collect: {
                news.withLock { $0 = false }
                return refused.withLock { Collected(refused: $0) }
            },
            sightings: Sightings(
                store: store, clock: clock.wall, neighbours: { Neighbours() }, logger: logger),
            usage: UsageCollector(
                store: store, catalog: TagBookTests.catalog, clock: clock.wall, tags: TagBook(),
                logger: logger),
            blocked: BlockedLately(
                clock: clock.wall, uptime: { uptime.withLock { $0 } }, snapshot: { snapshot }),
            onUse: {})
        /// Whether one was due, which is then made.
        func wasDue() async -> Bool {
            guard rounds.areDue else { return false }
            await rounds.make()
            return true
        }
        #expect(await wasDue(), "the first one follows the household")
        #expect(await !wasDue())
        news.withLock { $0 = true }
        refused.withLock { $0 = try! BlockedLatelyTests.refused("example.org") }
        #expect(await wasDue())
        refused.withLock { $0 = [] }
        #expect(await !wasDue())
        try store.change { $0.people[0].name = "Ada" }
        #expect(await wasDue())
        #expect(await !wasDue())
        uptime.withLock { $0 = $0 + .seconds(600) }
        #expect(await wasDue())
        #expect(await !wasDue())
    }

    @Test("Counters are told before the first round") func countersBegin() {
        #expect(Gauges().text.contains("\nsleep_inducer_dns_queries_total 0\n"))
    }
}
