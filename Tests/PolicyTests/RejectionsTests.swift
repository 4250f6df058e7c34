import Foundation
import Testing

@testable import Policy

/// Which addresses a gateway closes for which devices.
@Suite struct RejectionsTests {
    static let now = at("2026-11-20T20:00:00Z")
    /// The same by the monotonic clock.
    static let instant = ContinuousClock.now
    static let catalog = Catalog(
        categories: ["video", "phone", "messengers", "maps", "health"].map { Category(id: $0, name: $0) },
        apps: [
            App(id: "video", name: "Video", category: "video", suffixes: ["video.example"]),
            App(id: "calls", name: "Calls", category: "phone", suffixes: ["calls.example"]),
            App(id: "chat", name: "Chat", category: "messengers", suffixes: ["chat.example"]),
        ],
        alwaysReachable: [AlwaysReachable(id: "ntp", name: "Time", reason: "r", suffixes: ["ntp.org"])])

    /// Me sleeps, with the phone's calls allowed; Kim is awake.
    static func snapshot(asleep: Bool = true, _ change: (inout Household) -> Void = { _ in }) throws
        -> Snapshot
    {
        var household = home()
        if asleep {
            try household.startSession(me, durationMinutes: 60, strictness: .strict, id: UUID(), at: now)
        }
        change(&household)
        return Snapshot(
            revision: 1, instant: now, household: household, catalog: catalog,
            verdicts: household.evaluate(at: now))
    }

    /// Answers of some seconds ago.
    static func answered(_ facts: [(String, String, TimeInterval)]) -> AnsweredNames {
        var answered = AnsweredNames()
        for (name, address, ago) in facts {
            answered.note(name, [address], to: phone, at: instant - .seconds(ago))
        }
        return answered
    }

    static func closed(
        _ facts: [(String, String, TimeInterval)], for device: DeviceID = phone, _ snapshot: Snapshot
    ) -> [String: String]? {
        var rejections = Rejections { $0 == "router.lan" }
        return rejections.all(answered(facts), in: snapshot, at: instant).first {
            $0.devices.contains(device)
        }?
        .addresses
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [(String, String, TimeInterval)]
        let closed: [String: String]

        init(_ words: String, _ facts: [(String, String, TimeInterval)], closes closed: [String: String]) {
            testDescription = words
            self.facts = facts
            self.closed = closed
        }
    }

    static let cases = [
        Case(
            "a blocked name's address", [("video.example", "1.1.1.9", 5)],
            closes: ["1.1.1.9": "video.example"]),
        Case("an allowed name's", [("calls.example", "1.1.1.9", 5)], closes: [:]),
        Case("one that is always reachable", [("pool.ntp.org", "1.1.1.9", 5)], closes: [:]),
        Case("a name of the home", [("router.lan", "1.1.1.9", 5)], closes: [:]),
        Case(
            "shared with an allowed name",
            [("video.example", "1.1.1.9", 5), ("calls.example", "1.1.1.9", 3599)],
            closes: [:]),
        Case(
            "shared with one that is always reachable",
            [("video.example", "2001:db8::9", 5), ("ntp.org", "2001:db8::9", 60)], closes: [:]),
        Case(
            "shared more than an hour ago",
            [("video.example", "1.1.1.9", 5), ("calls.example", "1.1.1.9", 3600)],
            closes: ["1.1.1.9": "video.example"]),
        Case(
            "shared by two blocked names: told by the first in the alphabet",
            [("video.example", "1.1.1.9", 5), ("b.example", "1.1.1.9", 5)], closes: ["1.1.1.9": "b.example"]),
        Case(
            "one of two addresses is shared",
            [
                ("video.example", "1.1.1.9", 5), ("video.example", "1.1.1.8", 5),
                ("calls.example", "1.1.1.8", 5),
            ],
            closes: ["1.1.1.9": "video.example"]),
        Case("uncatalogued", [("shop.example", "1.1.1.9", 5)], closes: ["1.1.1.9": "shop.example"]),
    ]

    @Test(arguments: cases) func asleep(_ one: Case) throws {
        let snapshot = try Self.snapshot()
        #expect(Self.closed(one.facts, snapshot) == one.closed)
        #expect(Self.closed(one.facts, for: tablet, snapshot) == [:], "Kim is awake")
    }

    @Test func nobodysDeviceStandsInNoGroup() throws {
        let snapshot = try Self.snapshot { $0.devices[1].person = nil }
        var rejections = Rejections { _ in false }
        let all = rejections.all(
            Self.answered([("video.example", "1.1.1.9", 5)]), in: snapshot, at: Self.instant)
        #expect(all.map(\.devices) == [[phone]])
    }

    @Test func helpOpensOnItsDeviceOnly() throws {
        let snapshot = try Self.snapshot {
            $0.devices[1].person = me
            $0.devices[0].helpUntil = Self.now + 60
        }
        let facts = [("chat.example", "1.1.1.9", 5.0), ("video.example", "1.1.1.8", 5.0)]
        #expect(Self.closed(facts, snapshot) == ["1.1.1.8": "video.example"])
        #expect(Self.closed(facts, for: tablet, snapshot)?.count == 2)
    }

    @Test func theReleaseOpensEverything() throws {
        var rejections = Rejections { _ in false }
        let facts = Self.answered([("video.example", "1.1.1.9", 5)])
        #expect(
            rejections.all(facts, in: try Self.snapshot(), at: Self.instant).contains {
                !$0.addresses.isEmpty
            })
        #expect(
            rejections.all(facts, in: try Self.snapshot(asleep: false), at: Self.instant).allSatisfy(
                \.addresses.isEmpty))
    }

    /// The precedence of design.md's "Verdict", written out once more: what all others are held against.
    private static func isBlocked(_ name: String, on device: Device, in snapshot: Snapshot) -> Bool {
        let (catalog, household) = (snapshot.catalog, snapshot.household)
        if catalog.reachableNames(without: household.unreachable).covers(name) { return false }
        if let help = snapshot.help(on: device),
            catalog.names(of: help.names, without: help.shut).covers(name)
        {
            return false
        }
        let trial = household.tryBlock(on: device, at: snapshot.instant)
        let layers = device.person.flatMap { snapshot.verdicts[$0]?.blocks } ?? []
        return ([trial].compactMap { $0 } + layers).contains { block in
            switch block.scope {
            case .everythingBut(let allowed): !catalog.names(of: allowed).covers(name)
            case .only(let held): catalog.names(of: held, without: block.exempt).covers(name)
            }
        }
    }

    @Test(arguments: 0..<150) func agreesNameByName(seed: UInt64) throws {
        var generator = Generator(seed: seed)
        let now = generator.instant()
        let household = generator.household(at: now)
        let snapshot = Snapshot(
            revision: 1, instant: now, household: household, catalog: Self.catalog,
            verdicts: household.evaluate(at: now))
        let names = [
            "video.example", "m.video.example", "calls.example", "chat.example", "ntp.org", "shop.example",
        ]
        for device in household.devices {
            let prepared = NameRules(device, in: snapshot).prepared(in: snapshot)
            for name in names {
                let expected = Self.isBlocked(name, on: device, in: snapshot)
                let told = snapshot.verdict(of: name, device: device).block
                #expect((told != nil) == expected, "\(name) on \(device.name)")
                #expect(prepared.block(of: name) == told, "\(name) on \(device.name)")
            }
        }
    }
}
