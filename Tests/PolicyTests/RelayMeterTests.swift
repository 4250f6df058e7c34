import Foundation
import Policy
import Testing

/// Minutes of use from relayed bytes, and which apps are relayed (issue: relay mode).
@Suite struct RelayMeterTests {
    private static let phone = DeviceID(rawValue: 1)
    private static let tablet = DeviceID(rawValue: 2)
    private static let me = PersonID(rawValue: 1)
    private static let start = Date(timeIntervalSince1970: 60 * 29_000_000)

    private func note(
        _ meter: inout RelayMeter, _ bytes: Int, _ app: String = "tiktok", on device: DeviceID = phone,
        after seconds: Double
    ) -> ClosedRange<Int>? {
        meter.note(bytes, of: app, on: device, by: Self.me, at: Self.start.addingTimeInterval(seconds))?
            .minutes.first
    }

    @Test func aMinuteCountsOnceEnoughMoved() {
        var meter = RelayMeter()
        #expect(note(&meter, RelayMeter.bytesOfUse - 1, after: 1) == nil)
        #expect(note(&meter, 1, after: 59) == 29_000_000...29_000_000)
        #expect(note(&meter, 1_000_000, after: 59.5) == nil, "it is told once")
        #expect(note(&meter, 1_000_000, after: 60) == 29_000_001...29_000_001)
    }

    @Test func whatOnlyKeepsAliveIsNoUse() {
        var meter = RelayMeter()
        for second in stride(from: 0.0, to: 3600, by: 10) { #expect(note(&meter, 300, after: second) == nil) }
    }

    @Test func appsAndDevicesAreApart() {
        var meter = RelayMeter()
        let half = RelayMeter.bytesOfUse / 2
        #expect(note(&meter, half, after: 0) == nil)
        #expect(note(&meter, half, "youtube", after: 1) == nil)
        #expect(note(&meter, half, on: Self.tablet, after: 2) == nil)
        #expect(note(&meter, half, after: 3) != nil)
    }

    @Test func aClockThatIsSetBackBeginsAnew() {
        var meter = RelayMeter()
        #expect(note(&meter, RelayMeter.bytesOfUse, after: 120) != nil)
        #expect(note(&meter, RelayMeter.bytesOfUse, after: 0) == 29_000_000...29_000_000)
    }

    @Test func ruledAppsAreThoseWithALimitAndThoseOfAntiRot() {
        var person = Person(id: Self.me, name: "Me", relayed: RelayedApps(chosen: ["spotify"]))
        person.antiRot.restricted = AppSelection(apps: ["tiktok"])
        person.limits.list = [UsageLimit(id: UUID(), target: .category("games"), minutes: 30)]
        #expect(person.relayedSelection == AppSelection(apps: ["spotify"]))
        person.relayed.includesRuled = true
        #expect(
            person.relayedSelection == AppSelection(apps: ["spotify", "tiktok"], categories: ["games"]))
        person.relayed = RelayedApps()
        #expect(!person.relayed.isOn && person.relayedSelection.isEmpty)
    }

    @Test func anAppThatIsNotThereIsRefused() throws {
        var household = Household(timeZone: "UTC", people: [Person(id: Self.me, name: "Me")])
        let catalog = Catalog(categories: [], apps: [], alwaysReachable: [])
        #expect(throws: Refusal.self) {
            try household.setRelayed(Self.me, RelayedApps(chosen: ["nosuch"]), catalog: catalog)
        }
        #expect(household.people[0].relayed == RelayedApps())
    }
}
