import Foundation
import Testing

@testable import Policy

/// While loosening waits, changes that loosen from the side are refused; so are changes that would take an adult's
/// privacy.
@Suite struct LooseningGuardTests {
    private let now = at("2026-11-18T10:00:00Z")

    /// With a limit on an own app, a phone, and a wait.
    private func waiting(_ hours: Int) throws -> Household {
        var household = home()
        let own = try household.addOwnApp(name: "Games", domains: ["games.example"], at: now)
        let limit = UsageLimit(id: UUID(), target: .app(own.id), minutes: 30)
        try household.setLimit(me, limit, catalog: smallCatalog, change: UUID(), at: now)
        household.people[0].looseningDelay = hours
        household.devices = [
            Device(
                id: DeviceID(rawValue: 7), name: "Phone", person: me, addresses: [], firstSeen: now,
                lastSeen: now)
        ]
        return household
    }

    private static let doors: [(String, @Sendable (inout Household, Date) throws -> Void)] = [
        ("zone", { household, now in try household.setTimeZone("Pacific/Auckland", at: now) }),
        ("own app", { household, _ in try household.removeOwnApp("own-games") }),
        ("device", { household, now in try household.release(DeviceID(rawValue: 7), at: now) }),
    ]

    @Test(
        "While loosening waits, zone, limited own apps and devices stay", arguments: doors.indices
    )
    func refused(door: Int) throws {
        var household = try waiting(24)
        let before = household
        let refusal = Refusal.looseningWaits(of: household.people[0].name, hours: 24)
        #expect(throws: refusal, "\(Self.doors[door].0)") { try Self.doors[door].1(&household, now) }
        #expect(household == before)
        var free = try waiting(0)
        try Self.doors[door].1(&free, now)
        #expect(free != before)
    }

    @Test("A medical device may always go, and a person with nothing to loosen is not held")
    func free() throws {
        var household = try waiting(24)
        household.devices[0].kind = .medical
        try household.release(DeviceID(rawValue: 7), at: now)
        #expect(household.devices[0].person == nil)
        household.people[0].limits.list = []
        try household.setTimeZone("Pacific/Auckland", at: now)
        #expect(household.timeZone == "Pacific/Auckland")
    }

    @Test("An own app cannot take a catalog's name, or one below it: its minutes would not count there")
    func takenDomain() {
        var household = home()
        for domain in ["tiktok.com", "www.tiktok.com"] {
            #expect(throws: Refusal.domainTaken(domain, by: "TikTok")) {
                try household.addOwnApp(name: "Mine", domains: [domain], catalog: smallCatalog, at: now)
            }
        }
        #expect(household.ownApps.isEmpty)
    }

    @Test("An adult with devices becomes a child only on one of their devices") func role() throws {
        var household = try waiting(0)
        let name = household.people[0].name
        #expect(throws: Refusal.adultsOwnRole(name)) { try household.setRole(me, to: .child) }
        try household.setRole(me, to: .child, isTheirs: true)
        try household.setRole(me, to: .adult)
        household.devices = []
        try household.setRole(me, to: .child)
    }

    @Test("A device that enrolled itself is unconfirmed until somebody with the passcode confirms it")
    func confirmed() throws {
        var household = try waiting(0)
        let id = DeviceID(rawValue: 7)
        household.devices[0].person = nil
        try household.enroll(id, for: me)
        #expect(household[device: id]?.isConfirmed == false)
        try household.assign(id, to: me, at: now)
        #expect(household[device: id]?.isConfirmed == true)
        try household.enroll(id, for: me)
        #expect(household[device: id]?.isConfirmed == true, "it was theirs")
    }
}
