import Foundation
import Testing

@testable import Policy

@Suite struct JustBlockedTests {
    private static let start = at("2026-11-20T22:00:00Z")

    private static func name(_ text: String, _ seconds: Double = 0, of person: PersonID = me)
        -> JustBlocked.Name
    {
        JustBlocked.Name(text, person: person, layer: .sleep, at: start.addingTimeInterval(seconds))
    }

    @Test(
        "A name is gone ten minutes after its last refusal",
        arguments: [
            (0, true), (599, true), (600, false), (3_600, false),
        ] as [(Double, Bool)])
    func lasts(_ age: Double, _ isThere: Bool) {
        var blocked = JustBlocked()
        blocked.note(Self.name("tiktok.com"), on: phone, at: 1_000)
        let now = 1_000 + age
        #expect(blocked.names(of: phone, person: me, at: now).isEmpty != isThere)
        #expect(blocked.isDue(at: now) != isThere)
        blocked.forget(at: now)
        #expect(blocked.isEmpty != isThere, "not in memory either")
    }

    @Test func newestFirstAndOnce() {
        var blocked = JustBlocked()
        for (text, seconds) in [("a.com", 0), ("b.com", 1), ("a.com", 2)] as [(String, Double)] {
            blocked.note(Self.name(text, seconds), on: phone, at: seconds)
        }
        let names = blocked.names(of: phone, person: me, at: 3)
        #expect(names.map(\.name) == ["a.com", "b.com"])
        #expect(blocked.names(of: tablet, person: me, at: 3).isEmpty)
    }

    @Test("Bounded: the oldest name and the quietest device make room")
    func bounded() {
        var blocked = JustBlocked()
        for number in 0..<300 {
            blocked.note(Self.name("n\(number).com"), on: phone, at: Double(number) / 10)
        }
        let now = 100.0
        let names = blocked.names(of: phone, person: me, at: now)
        #expect(names.count == JustBlocked.mostNames && names.first?.name == "n299.com")
        #expect(names.last?.name == "n200.com")
        for number in 0..<200 {
            blocked.note(
                Self.name("x.com"), on: DeviceID(rawValue: Int64(100 + number)),
                at: 40 + Double(number) / 10)
        }
        let there = (0..<200).filter {
            !blocked.names(of: DeviceID(rawValue: Int64(100 + $0)), person: me, at: now).isEmpty
        }
        #expect(there.count == JustBlocked.mostDevices && there.first == 136)
        #expect(blocked.names(of: phone, person: me, at: now).isEmpty)
    }

    @Test("A device's new owner does not see names refused under the former one, who still does")
    func changesHands() {
        var blocked = JustBlocked()
        blocked.note(Self.name("tiktok.com"), on: phone, at: 0)
        #expect(blocked.names(of: phone, person: kid, at: 0).isEmpty)
        #expect(blocked.names(of: phone, person: me, at: 0).map(\.name) == ["tiktok.com"])
    }

    @Test("Of two names the older one is due first, and the other when its time comes")
    func due() {
        var blocked = JustBlocked()
        for (text, seconds) in [("a.com", 0), ("b.com", 1), ("a.com", 100)] as [(String, Double)] {
            blocked.note(Self.name(text, seconds), on: phone, at: seconds)
        }
        for (now, isThere) in [(601, true), (699, true), (700, false)] as [(Double, Bool)] {
            if blocked.isDue(at: now) { blocked.forget(at: now) }
            #expect(blocked.isEmpty != isThere)
        }
        #expect(!blocked.isDue(at: 10_000))
    }
}

@Suite struct AllowFromNextSessionTests {
    private let catalog = Catalog(
        categories: [
            Policy.Category(id: "social", name: "Social"), Policy.Category(id: "phone", name: "Phone"),
        ],
        apps: [App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"])],
        alwaysReachable: [])

    @Test(
        "A running session, of either mode, keeps what it started with", arguments: StrictnessMode.allCases,
        [true, false])
    func nextSession(_ strictness: StrictnessMode, _ isNight: Bool) throws {
        var house = House(
            home(schedule("22:00", "07:00", strictness)),
            at: isNight ? "2026-11-20T23:00:00Z" : "2026-11-20T20:00:00Z")
        if !isNight { try house.start(30, strictness) }
        let running = house.session
        try house.change { household, _ in
            try household.allowFromNextSession(me, app: "tiktok", catalog: catalog)
            try household.allowFromNextSession(me, domain: "Example.ORG", catalog: catalog)
        }
        #expect(house.session == running && running?.allowed.apps.isEmpty == true)
        house.go(to: "2026-11-21T23:00:00Z")
        #expect(
            house.session?.allowed.apps == ["tiktok"] && house.session?.allowed.domains == ["example.org"])
        #expect(house.session?.allowed.categories == ["phone"], "what was allowed before stays")
    }

    @Test(
        "Unknown apps, invalid domains and domains that are too broad are refused",
        arguments: [
            ("nope", nil), (nil, "com"), (nil, "co.uk"), (nil, "<script>"), (nil, "192.168.1.1"), (nil, ""),
        ] as [(String?, String?)])
    func refused(_ app: String?, _ domain: String?) {
        var household = home()
        let before = household
        #expect(throws: Refusal.self) {
            try household.allowFromNextSession(me, app: app, domain: domain, catalog: catalog)
        }
        #expect(household == before)
    }
}
