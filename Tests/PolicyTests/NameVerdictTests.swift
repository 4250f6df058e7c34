import Directory
import Foundation
import Testing

@testable import Policy

@Suite struct NameVerdictTests {
    private let catalog = Catalog(
        categories: ["social", "phone", "messengers", "maps", "health"].map { Category(id: $0, name: $0) },
        apps: [
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]),
            App(id: "signal", name: "Signal", category: "messengers", suffixes: ["signal.org"]),
            App(id: "calls", name: "Phone", category: "phone", suffixes: ["calls.example"]),
        ],
        alwaysReachable: [
            AlwaysReachable(id: "ntp", name: "Time", reason: "r", suffixes: ["ntp.org"]),
            AlwaysReachable(
                id: "android", name: "Android", reason: "r", hosts: ["www.google.com"], isOptional: true),
        ])

    private func snapshot(_ house: House) -> Snapshot {
        Snapshot(
            revision: 1, instant: house.now, household: house.household,
            catalog: catalog.adding(house.household.ownApps),
            verdicts: house.household.evaluate(at: house.now))
    }

    private func asleep() throws -> House {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        return house
    }

    @Test(
        "design.md, Verdict: the first that applies",
        arguments: [
            ("0.pool.ntp.org", false), ("www.google.com", false), ("WWW.Google.com.", false),
            ("a.www.google.com", true),
            ("calls.example", false), ("x.calls.example", false), ("notcalls.example", true),
            ("tiktok.com", true),
            ("signal.org", true), ("uncatalogued.example", true), ("com", true),
        ])
    func sleep(_ name: String, _ isBlocked: Bool) throws {
        let snapshot = snapshot(try asleep())
        for address in ["10.0.0.2", "fd00::2"] {
            let verdict = snapshot.verdict(of: name, deviceAt: address)
            #expect((verdict.block != nil) == isBlocked, "\(name)")
            #expect(verdict.person == me)
            if isBlocked { #expect(verdict.block == snapshot.verdicts[me]?.blocks.first) }
        }
        // Kim is awake, and the unknown device has no rules.
        #expect(snapshot.verdict(of: name, deviceAt: "10.0.0.3").block == nil)
        #expect(
            snapshot.verdict(of: name, deviceAt: "10.0.0.99")
                == NameVerdict(block: nil, app: catalog.app(owning: name)))
    }

    @Test func tellsTheAppThatOwnsAName() throws {
        let snapshot = snapshot(try asleep())
        #expect(snapshot.verdict(of: "www.tiktok.com", deviceAt: "10.0.0.2").app?.id == "tiktok")
        #expect(snapshot.verdict(of: "www.tiktok.com", deviceAt: "10.0.0.99").app?.id == "tiktok")
        #expect(snapshot.verdict(of: "example.org", deviceAt: "10.0.0.2").app == nil)
    }

    @Test func anUntickedOptionalEntryIsBlockedLikeAnyName() throws {
        var house = try asleep()
        house.household.unreachable = ["android", "ntp"]
        #expect(snapshot(house).verdict(of: "www.google.com", deviceAt: "10.0.0.2").block != nil)
        #expect(snapshot(house).verdict(of: "pool.ntp.org", deviceAt: "10.0.0.2").block == nil)
    }

    @Test("Help opens calls, messages, maps and health on the asking device, until its instant")
    func help() throws {
        var house = try asleep()
        try house.change { try $0.useHelp(phone, at: $1) }
        var snapshot = snapshot(house)
        #expect(snapshot.verdict(of: "chat.signal.org", deviceAt: "10.0.0.2").block == nil)
        #expect(snapshot.verdict(of: "chat.signal.org", deviceAt: "fd00::2").block == nil)
        #expect(snapshot.verdict(of: "tiktok.com", deviceAt: "10.0.0.2").block != nil)
        #expect(snapshot.verdict(of: "chat.signal.org", person: me).block != nil)
        snapshot.instant = snapshot.instant.addingTimeInterval(900)
        #expect(snapshot.verdict(of: "chat.signal.org", deviceAt: "10.0.0.2").block != nil)
        // Another device of the same person did not ask for Help.
        house.household.devices[1].person = me
        #expect(self.snapshot(house).verdict(of: "chat.signal.org", deviceAt: "10.0.0.3").block != nil)
    }

    @Test("Help opens them also where nobody can tell which of several devices asks")
    func helpForOneOfSeveral() throws {
        var house = try asleep()
        house.household.devices[1].person = me
        try house.change { try $0.useHelp(phone, at: $1) }
        let ids = house.household.devices.map(\.id.rawValue)
        let several = DeviceDirectory.Answer(rules: Array(ids.reversed()), isNew: true)
        house.household.newDevicesBelongTo = me
        #expect(snapshot(house).verdict(of: "chat.signal.org", by: several).block == nil)
        #expect(snapshot(house).verdict(of: "tiktok.com", by: several).block != nil)
        var unsure = try asleep()
        try unsure.change { try $0.useHelp(phone, isCertain: false, at: $1) }
        #expect(unsure.household.people[0].helpPresses == nil, "nobody's presses are used up")
        #expect(unsure.household.devices.contains { $0.helpMessagesFrom != nil })
    }

    @Test("A device without an owner is not blocked; an unknown one follows the rule for new devices")
    func unenrolled() throws {
        var house = try asleep()
        house.household.devices[1].person = nil
        house.household.newDevicesBelongTo = me
        let snapshot = snapshot(house)
        #expect(snapshot.verdict(of: "tiktok.com", deviceAt: "10.0.0.3").block == nil)
        #expect(snapshot.verdict(of: "tiktok.com", deviceAt: "10.0.0.99").block != nil)
    }

    @Test("SI-092, C-13: ticking an app during a session opens nothing; the next session has it")
    func selectionIsASnapshot() throws {
        var house = try asleep()
        try house.change { household, _ in
            try household.saveAllowed(
                me, AppSelection(apps: ["tiktok"], domains: ["example.org"]), catalog: catalog)
        }
        #expect(snapshot(house).verdict(of: "tiktok.com", deviceAt: "10.0.0.2").block != nil)
        #expect(snapshot(house).verdict(of: "calls.example", deviceAt: "10.0.0.2").block == nil)
        house.go(to: "2026-11-20T21:00:00Z")
        try house.start(30)
        #expect(snapshot(house).verdict(of: "tiktok.com", deviceAt: "10.0.0.2").block == nil)
        #expect(snapshot(house).verdict(of: "www.example.org", deviceAt: "10.0.0.2").block == nil)
        #expect(snapshot(house).verdict(of: "calls.example", deviceAt: "10.0.0.2").block != nil)
    }

    @Test("C-25: of several reasons the strictest is told; .only blocks what it names")
    func severalLayers() throws {
        var snapshot = snapshot(try asleep())
        let sleep = snapshot.verdicts[me]!.blocks[0]
        let focus = Block(
            layer: .focus, scope: .only(AppSelection(categories: ["social", "phone"])), since: sleep.since,
            until: sleep.until)
        snapshot.verdicts[me]!.blocks = [sleep, focus]
        #expect(snapshot.verdict(of: "tiktok.com", deviceAt: "10.0.0.2").block == sleep)
        #expect(snapshot.verdict(of: "calls.example", deviceAt: "10.0.0.2").block == focus)
        #expect(snapshot.verdict(of: "ntp.org", deviceAt: "10.0.0.2").block == nil)
        snapshot.verdicts[me]!.blocks = [focus]
        #expect(snapshot.verdict(of: "example.org", deviceAt: "10.0.0.2").block == nil)
    }
}
