import Foundation
import Policy
import Testing

/// Which devices asked this week, which are quiet, and what prevents erasing.
@Suite struct LeavingTests {
    private static let now = Date(timeIntervalSince1970: 1_795_374_000)

    @Test(
        arguments: [
            (0.0, 86_400.0, false), (599, 86_400, false), (600, 86_400, true), (7 * 86_400 - 1, 86_400, true),
            (7 * 86_400, 86_400, nil), (now.timeIntervalSince1970, 86_400, nil),
            // The server was off meanwhile, so it heard no device.
            (3600, 599, false), (3600, 600, true),
            // The clock was set back.
            (-100, 86_400, false),
        ] as [(TimeInterval, TimeInterval, Bool?)])
    func ticked(ago: TimeInterval, running: TimeInterval, isQuiet: Bool?) {
        let device = Device(
            id: DeviceID(rawValue: 1), name: "Phone", addresses: ["10.0.0.7"], firstSeen: .distantPast,
            lastSeen: Self.now - ago)
        let household = Household(
            timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")], devices: [device])
        let found = household.leaving(at: Self.now, runningSince: Self.now - running)
        #expect(found.map(\.isQuiet) == [isQuiet].compactMap { $0 })
    }

    @Test func thoseThatStillAskStandFirst() {
        let devices = [(1, 700.0), (2, 10), (3, 100_000), (4, 60)].map { id, ago in
            Device(
                id: DeviceID(rawValue: id), name: "\(id)", addresses: [], firstSeen: .distantPast,
                lastSeen: Self.now - ago)
        }
        let household = Household(timeZone: "UTC", people: [], devices: devices)
        let found = household.leaving(at: Self.now, runningSince: .distantPast)
        #expect(found.map(\.device.name) == ["2", "4", "1", "3"])
    }

    @Test func aStrictSessionAndRulesThatWaitStand() throws {
        let me = PersonID(rawValue: 1)
        var household = Household(timeZone: "UTC", people: [Person(id: me, name: "Ada")])
        #expect(throws: Never.self) { try household.guardErasing(at: Self.now) }
        var flexible = household
        try flexible.startSession(me, durationMinutes: 60, strictness: .flexible, id: UUID(), at: Self.now)
        #expect(throws: Never.self) { try flexible.guardErasing(at: Self.now) }
        var strict = household
        try strict.startSession(me, durationMinutes: 60, strictness: .strict, id: UUID(), at: Self.now)
        #expect(throws: Refusal.looseningStrict(of: "Ada")) { try strict.guardErasing(at: Self.now + 3599) }
        #expect(throws: Never.self) { try strict.guardErasing(at: Self.now + 3600) }
        household.people[0].looseningDelay = 8
        household.people[0].limits = Limits(
            list: [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)])
        #expect(throws: Refusal.looseningWaits(of: "Ada", hours: 8)) {
            try household.guardErasing(at: Self.now)
        }
    }
}
