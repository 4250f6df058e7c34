import Foundation
import Testing

@testable import Policy

@Suite(
    "Only a tablet without mobile data is told that the network is closed, and only while its person sleeps")
struct CaptivityTests {
    static let tablet = DeviceID(rawValue: 1)
    static let ada = PersonID(rawValue: 1)
    /// Friday, 20:00 UTC; bedtime is at 22:00.
    static let evening = Date(timeIntervalSince1970: 1_795_204_800)

    static func household(_ change: (inout Household) -> Void = { _ in }) -> Household {
        let device = Device(
            id: tablet, name: "Tablet", kind: .tablet, person: ada, addresses: ["10.0.0.2"],
            firstSeen: .distantPast, lastSeen: .distantPast, hasNoMobileData: true)
        var person = Person(id: ada, name: "Ada")
        person.schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay(hour: 22, minute: 0), end: TimeOfDay(hour: 7, minute: 0),
            strictness: .strict)
        var household = Household(timeZone: "UTC", people: [person], devices: [device])
        change(&household)
        return household
    }

    private static func captivity(_ household: Household, after seconds: TimeInterval) -> Captivity {
        let now = evening.addingTimeInterval(seconds)
        var household = household
        _ = household.settle(at: now, newID: UUID.init)
        return household.captivity(of: household.devices.first, at: now)
    }

    @Test(
        "By day the seconds until bedtime, by night captive, in the morning the next bedtime",
        arguments: [
            (0, false, 7_200), (0.5, false, 7_200), (7_199, false, 1), (7_199.9, false, 1),
            (7_200, true, nil),
            (7_200 + 9 * 3_600 - 1, true, nil), (7_200 + 9 * 3_600, false, 15 * 3_600),
        ] as [(TimeInterval, Bool, Int?)])
    func nights(_ seconds: TimeInterval, _ isCaptive: Bool, _ remaining: Int?) {
        let captivity = Self.captivity(Self.household(), after: seconds)
        #expect(captivity == Captivity(isCaptive: isCaptive, secondsRemaining: remaining))
    }

    @Test(
        "No other device is told anything, by day or by night",
        arguments: [
            { $0.devices[0].hasNoMobileData = false }, { $0.devices[0].person = nil },
            { $0.devices = [] },
            // Even if it was marked somehow.
            { $0.devices[0].kind = .phone },
        ] as [@Sendable (inout Household) -> Void])
    func others(_ change: @Sendable (inout Household) -> Void) {
        for seconds in [0, 7_200, 20_000] as [TimeInterval] {
            #expect(Self.captivity(Self.household(change), after: seconds) == .none)
        }
    }

    @Test func withoutAScheduleNoInstantIsKnown() {
        #expect(Self.captivity(Self.household { $0.people[0].schedule = nil }, after: 0) == .none)
    }

    @Test("While Help is open, so is the network; it closes afterwards")
    func help() {
        let household = Self.household { $0.devices[0].helpUntil = Self.evening.addingTimeInterval(8_000) }
        let open = Self.captivity(household, after: 7_400)
        #expect(open == Captivity(isCaptive: false, secondsRemaining: 600))
        #expect(Self.captivity(household, after: 8_000).isCaptive)
    }

    @Test("A phone cannot be marked, and a device that stops being a tablet loses its mark")
    func onlyTablets() throws {
        var household = Self.household()
        try household.setKind(Self.tablet, to: .phone, at: Self.evening)
        #expect(!household.devices[0].hasNoMobileData)
        for kind in Device.Kind.allCases where kind != .tablet {
            household.devices[0].kind = kind
            #expect(throws: Refusal.onlyTablets) { try household.setHasNoMobileData(Self.tablet, to: true) }
            try household.setHasNoMobileData(Self.tablet, to: false)
        }
        household.devices[0].kind = .tablet
        try household.setHasNoMobileData(Self.tablet, to: true)
        #expect(household.devices[0].hasNoMobileData)
        #expect(throws: Refusal.unknownDevice) {
            try household.setHasNoMobileData(DeviceID(rawValue: 9), to: true)
        }
    }
}
