import Foundation
import Testing

@testable import Policy

/// A person who wants out of a strict session tries every command, at random.
@Suite struct StrictPropertyTests {
    private static let catalog = Catalog(
        categories: ["social", "phone"].map { Category(id: $0, name: $0) },
        apps: [
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]),
            App(id: "calls", name: "Phone", category: "phone", suffixes: ["calls.example"]),
        ],
        alwaysReachable: [
            AlwaysReachable(
                id: "android", name: "Android", reason: "r", hosts: ["www.google.com"], isOptional: true)
        ])
    private static let names = [
        "tiktok.com", "www.tiktok.com", "www.google.com", "example.org", "calls.example", "a.own.example",
    ]

    private static func blocked(_ household: Household, at now: Date) -> Set<String> {
        let snapshot = Snapshot(
            revision: 0, instant: now, household: household, catalog: catalog.adding(household.ownApps),
            verdicts: household.evaluate(at: now))
        return Set(names.filter { snapshot.verdict(of: $0, deviceAt: "10.0.0.2").block != nil })
    }

    @Test("Only its end, Help or a reset opens a name that it blocks", arguments: 0..<20)
    func nothingOpens(_ seed: UInt64) throws {
        var random = Generator(seed: 5_000 + seed)
        for _ in 0..<10 {
            let start = random.instant()
            var household = home(random.schedule(), zone: random.pick(Generator.zones))
            household.unreachable = random.chance(50) ? ["android"] : []
            let own = try household.addOwnApp(name: "Own", domains: ["own.example"], at: start)
            household.people[0].allowed = AppSelection(
                apps: random.chance(30) ? [own.id] : [],
                categories: random.pick([[], ["phone"], ["own", "phone"]]))
            try household.startSession(me, durationMinutes: 480, strictness: .strict, id: UUID(), at: start)
            let end = household.people[0].session!.endsAt
            var now = start
            var before = Self.blocked(household, at: now)
            #expect(!before.isEmpty)
            for _ in 0..<60 {
                now += TimeInterval(random.int(0...600))
                guard now < end else { break }
                Self.tryOne(&random, &household, at: now)
                _ = household.settle(at: now, newID: UUID.init)
                let after = Self.blocked(household, at: now)
                #expect(
                    after.isSuperset(of: before),
                    "\(before.subtracting(after)) opened at \(now): \(household)")
                before = after
            }
            #expect(household[person: me]?.session?.endsAt == end)
            _ = household.settle(at: end, newID: UUID.init)
            #expect(household[person: me]?.session?.mode != .manual(durationMinutes: 480))
        }
    }

    /// Tries one random command, except emergency reset and Help; most are refused, which is the point.
    private static func tryOne(_ random: inout Generator, _ household: inout Household, at now: Date) {
        let device = random.pick([phone, tablet])
        let person = random.pick([me, kid])
        switch random.int(1...17) {
        case 1: try? household.release(device, at: now)
        case 2: try? household.assign(device, to: person, at: now)
        case 3: try? household.enroll(device, for: person)
        case 4: try? household.setKind(device, to: random.pick(Device.Kind.allCases), at: now)
        case 5: try? household.removePerson(person, at: now)
        case 6: try? household.setTimeZone(random.pick(Generator.zones), at: now)
        case 7: try? household.setUnreachable(random.pick([[], ["android"]]), catalog: catalog, at: now)
        case 8:
            try? household.saveAllowed(
                me, AppSelection(apps: ["tiktok"], domains: ["example.org"]), catalog: catalog)
        case 9: try? household.saveSchedule(person, random.schedule(), at: now)
        case 10: try? household.changeTonight(person, random.pick(TonightChange.Press.allCases), at: now)
        case 11: try? household.beginCancel(person, at: now)
        case 12: try? household.keepSleeping(person, at: now)
        case 13:
            _ = try? household.startSession(
                person, durationMinutes: 30, strictness: .flexible, id: UUID(), at: now)
        case 14: _ = try? household.addOwnApp(name: "Own", domains: [random.pick(names)], at: now)
        case 15: try? household.wakeForAWhile(person, at: now)
        case 16: if let app = household.ownApps.first { try? household.removeOwnApp(app.id) }
        default: try? household.setNewDevices(belongTo: random.pick([nil, me, kid]))
        }
    }
}
