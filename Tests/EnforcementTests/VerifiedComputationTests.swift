import Enforcement
import Foundation
import Logging
import Policy
import Store
import Testing

/// The one loop answers requests, whether or not a page is open (DD-002, DD-014).
@Suite struct VerifiedComputationTests {
    private static let now = Date(timeIntervalSince1970: 1_795_262_400)
    private static let me = PersonID(rawValue: 1)
    private static let catalog = Catalog(
        categories: [Category(id: "learning", name: "Learning")],
        apps: [App(id: "khan", name: "Khan", category: "learning", suffixes: ["khanacademy.org"])],
        alwaysReachable: [])

    private static func house(staged: Bool) throws -> HouseholdStore {
        var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Me")])
        try household.saveProductive(me, AppSelection(apps: ["khan"]), catalog: catalog)
        if staged { try household.stageComputation(me, at: now) }
        return try HouseholdStore.inMemory(household)
    }

    /// 45 minutes of yesterday.
    private static var ledger: UsageLedger {
        var ledger = UsageLedger()
        let start = Int(now.timeIntervalSince1970) / 60 - 24 * 60
        ledger.apply(
            UsageChange(
                device: DeviceID(rawValue: 1), person: me, app: "khan", range: start...start + 44,
                minutes: [start...start + 44]))
        return ledger
    }

    private static func monitor(_ store: HouseholdStore, _ clock: ManualClock) -> Monitor {
        Monitor(
            store: store, catalog: catalog, clock: clock.wall,
            effects: .init(enforce: { _ in }, onChange: { _ in }),
            logger: Logger(label: "test"), ledger: { ledger })
    }

    @Test("A request is answered in one step: invoked, snapshot, completed")
    func answers() async throws {
        let store = try Self.house(staged: true)
        await Self.monitor(store, ManualClock("2026-11-21T12:00:01Z")).step()
        let verified = store.household.people[0].verified
        #expect(verified.stagedAt == nil)
        #expect(verified.snapshot?.verifiedMinutes == 45)
        #expect(verified.snapshot?.date == CivilDate("2026-11-20"))
        #expect(verified.invokedAt == Self.now + 1 && verified.completedAt == Self.now + 1)
    }

    @Test("Without a request nothing is computed")
    func idle() async throws {
        let store = try Self.house(staged: false)
        let before = store.household
        await Self.monitor(store, ManualClock("2026-11-21T12:00:00Z")).step()
        #expect(store.household == before)
    }
}
