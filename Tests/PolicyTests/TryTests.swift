import Foundation
import Testing

@testable import Policy

/// "Try it for two minutes": one device, two minutes, nothing else.
@Suite struct TryTests {
    static let catalog = Catalog(
        categories: ["social", "phone", "sleep", "mail", "backups"].map { Category(id: $0, name: $0) },
        apps: [
            App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"]),
            App(id: "calls", name: "Phone", category: "phone", suffixes: ["calls.example"]),
        ],
        alwaysReachable: [AlwaysReachable(id: "ntp", name: "Time", reason: "r", suffixes: ["ntp.org"])])

    private func block(_ house: House, _ name: String, _ address: String) -> Block? {
        Snapshot(
            revision: 1, instant: house.now, household: house.household, catalog: Self.catalog,
            verdicts: house.household.evaluate(at: house.now)
        ).verdict(of: name, deviceAt: address).block
    }

    private func house() -> House {
        var household = home()
        let long = at("2026-01-01T00:00:00Z")
        household.devices.append(
            Device(
                id: DeviceID(rawValue: 3), name: "Mine too", person: me, addresses: ["10.0.0.4"],
                firstSeen: long, lastSeen: long))
        household.devices.append(
            Device(
                id: DeviceID(rawValue: 4), name: "A guest's", addresses: ["10.0.0.5"], firstSeen: long,
                lastSeen: long))
        return House(household, at: "2026-11-20T20:00:00Z")
    }

    @Test("Only the asking device, for 120 seconds; what its person allows stays open")
    func oneDevice() throws {
        var house = house()
        let before = house.household
        try house.household.beginTry(phone, at: house.now)
        for address in ["10.0.0.2", "fd00::2"] {
            let hold = try #require(block(house, "tiktok.com", address))
            #expect(hold.isTry && hold.layer == .sleep)
            #expect(hold.since == house.now && hold.until == at("2026-11-20T20:02:00Z"))
            #expect(block(house, "calls.example", address) == nil, "allowed at night")
            #expect(block(house, "pool.ntp.org", address) == nil, "always reachable")
        }
        for address in ["10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.99"] {
            #expect(block(house, "tiktok.com", address) == nil)
        }
        house.wait(119)
        #expect(block(house, "tiktok.com", "10.0.0.2") != nil)
        house.wait(1)
        #expect(block(house, "tiktok.com", "10.0.0.2") == nil)
        #expect(house.household == before, "no trace of it anywhere")
        #expect(house.log == [])
    }

    @Test("A device without an owner can try too, with the first selection")
    func nobodys() throws {
        var house = house()
        try house.household.beginTry(DeviceID(rawValue: 4), at: house.now)
        #expect(block(house, "tiktok.com", "10.0.0.5")?.isTry == true)
        #expect(block(house, "calls.example", "10.0.0.5") == nil)
        #expect(block(house, "pool.ntp.org", "10.0.0.5") == nil)
    }

    @Test("Everybody on the device can end it; ending nothing does nothing")
    func ends() throws {
        var house = house()
        house.household.endTry(phone)
        try house.household.beginTry(phone, at: house.now)
        house.household.endTry(phone)
        #expect(block(house, "tiktok.com", "10.0.0.2") == nil)
    }

    @Test("A clock that goes back does not lengthen a try, and after a long sleep of the server it is over")
    func clocks() throws {
        var house = house()
        try house.household.beginTry(phone, at: house.now)
        house.go(to: "2026-11-20T18:00:00Z")
        #expect(house.household[device: phone]?.tryUntil == at("2026-11-20T18:02:00Z"))
        house.go(to: "2026-11-21T09:00:00Z")
        #expect(house.household[device: phone]?.tryUntil == nil)
    }

    @Test("A night that begins meanwhile is a night, and refuses another try")
    func night() throws {
        var house = house()
        try house.household.beginTry(phone, at: house.now)
        try house.start(60)
        #expect(block(house, "tiktok.com", "10.0.0.2")?.isTry == false)
        #expect(throws: Refusal.sessionRunning) { try house.household.beginTry(phone, at: house.now) }
    }

    @Test("Refused on a medical or safety device, and for an unknown device")
    func refuses() throws {
        for kind in Device.Kind.allCases {
            var house = house()
            house.household.devices[0].kind = kind
            if kind.isExempt {
                #expect(throws: Refusal.tryOnExempt) { try house.household.beginTry(phone, at: house.now) }
            } else {
                try house.household.beginTry(phone, at: house.now)
            }
        }
        var house = house()
        #expect(throws: Refusal.unknownDevice) {
            try house.household.beginTry(DeviceID(rawValue: 9), at: house.now)
        }
    }

    @Test("Help ends it at once", arguments: [phone, DeviceID(rawValue: 4)])
    func help(_ device: DeviceID) throws {
        var house = house()
        try house.household.beginTry(device, at: house.now)
        try house.household.useHelp(device, at: house.now)
        #expect(house.household[device: device]?.tryUntil == nil)
    }
}

/// What is allowed by default, and what one tap adds.
@Suite struct AllowedSetTests {
    @Test func theFirstSelectionIsForWhoeverAllowedNothing() throws {
        var household = home()
        try household.allowFirstSelection(kid, catalog: TryTests.catalog)
        #expect(
            household[person: kid]?.allowed == AppSelection(categories: ["phone", "backups"]), "what there is"
        )
        household.people[0].allowed = AppSelection(apps: ["tiktok"])
        try household.allowFirstSelection(me, catalog: TryTests.catalog)
        #expect(household[person: me]?.allowed == AppSelection(apps: ["tiktok"]))
    }

    @Test func aSetAddsAndTakesNothing() throws {
        var household = home()
        household.people[0].allowed = AppSelection(apps: ["tiktok"], domains: ["example.org"])
        try household.allow(.onCall, for: me, catalog: TryTests.catalog)
        try household.allow(.sleepSounds, for: me, catalog: TryTests.catalog)
        #expect(
            household[person: me]?.allowed
                == AppSelection(
                    apps: ["tiktok"], categories: ["phone", "mail", "sleep"], domains: ["example.org"]))
    }

    @Test(arguments: [
        ("", ""), ("  192.168.1.1 \n by DHCP ", "192.168.1.1 by DHCP"),
        (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
    ])
    func theOldSettingIsWrittenDown(_ typed: String, _ kept: String) throws {
        var household = home()
        try household.noteFormerDNS(typed)
        #expect(household.formerDNS == kept)
        #expect(throws: Refusal.noteTooLong) {
            try household.noteFormerDNS(String(repeating: "x", count: 201))
        }
        #expect(household.formerDNS == kept)
    }
}
