import Foundation
import Testing

@testable import Policy

@Suite("A device that comes back with a new address is offered, never merged by itself")
struct ReturnTests {
    static let stranger = DeviceID(rawValue: 9)
    static let evening = at("2026-11-20T21:00:00Z")
    static let (old, new) = ("02:00:00:00:00:02", "02:00:00:00:00:09")

    /// Kim's tablet went quiet at nine; five minutes later a device came that the network calls the same.
    static func household(_ change: (inout Device, inout Device) -> Void = { _, _ in }) -> Household {
        var household = home()
        household.devices[1].networkName = "kims-tablet"
        household.devices[1].hardwareAddress = old
        household.devices[1].lastSeen = evening
        var newcomer = Device(
            id: stranger, name: "Kims-Tablet", isNamed: false, networkName: "Kims-Tablet",
            addresses: ["10.0.0.9", "fd00::9"], hardwareAddress: new, firstSeen: evening + 300,
            lastSeen: evening + 600)
        change(&household.devices[1], &newcomer)
        household.devices.append(newcomer)
        return household
    }

    typealias Change = @Sendable (inout Device, inout Device) -> Void
    static let cases: [(String, Bool, Change)] = [
        ("as it is", true, { _, _ in }),
        ("named by a person", true, { known, _ in known.name = "Kim's" }),
        ("the new one enrolled itself", true, { _, new in (new.person, new.isConfirmed) = (me, false) }),
        ("no hardware address", true, { _, new in new.hardwareAddress = nil }),
        ("a week later", true, { _, new in new.firstSeen = evening + 7 * 86_400 - 1 }),
        ("a moment together", true, { known, new in known.lastSeen = new.firstSeen + 599 }),
        ("the known one asks again", false, { known, new in known.lastSeen = new.firstSeen + 601 }),
        ("too long ago", false, { _, new in new.firstSeen = evening + 7 * 86_400 }),
        ("the new one was here before it", false, { known, new in new.firstSeen = known.firstSeen - 1 }),
        ("another name", false, { _, new in new.networkName = "kims-tablet-2" }),
        ("no name", false, { _, new in new.networkName = nil }),
        (
            "only the typed name is the same", false,
            { known, _ in (known.name, known.networkName) = ("Kims-Tablet", nil) }
        ),
        ("the owner said whose it is", false, { _, new in new.person = me }),
        ("nobody's device went quiet", false, { known, _ in known.person = nil }),
        ("never asked", false, { known, _ in known.lastSeen = Date(timeIntervalSince1970: 0) }),
        ("the same hardware", false, { known, new in new.hardwareAddress = known.hardwareAddress }),
        ("told apart", false, { known, new in new.toldApart = [known.id] }),
    ]

    @Test(arguments: cases.indices) func offered(_ index: Int) {
        let (name, isOffered, change) = Self.cases[index]
        let found = Self.household(change).returns
        #expect(
            found.map { [$0.newcomer.id, $0.known.id] } == (isOffered ? [[Self.stranger, tablet]] : []),
            "\(name)")
    }

    @Test("The time of the last question is never taken over from a clock that was ahead")
    func mergedAfterAClockThatWasAhead() throws {
        for (ahead, expected) in [(false, Self.evening + 600), (true, Self.evening)] {
            var household = Self.household { _, new in
                if ahead { new.lastSeen = Self.evening + 40 * 86_400 }
            }
            try household.merge(Self.stranger, into: tablet, at: Self.evening + 700)
            #expect(household[device: tablet]?.lastSeen == expected)
        }
    }

    @Test func ofTwoTheOneThatWentQuietLast() throws {
        var household = Self.household()
        household.devices[0].networkName = "kims-tablet"
        household.devices[0].lastSeen = Self.evening - 3600
        #expect(household.returns.map(\.known.id) == [tablet])
        try household.tellApart(Self.stranger, from: tablet)
        #expect(household.returns.map(\.known.id) == [phone])
        #expect(throws: Refusal.returnNotOffered) { try household.tellApart(Self.stranger, from: tablet) }
        try household.tellApart(Self.stranger, from: phone)
        #expect(household.returns.isEmpty)
    }

    @Test func oneTapMerges() throws {
        var household = Self.household { known, new in
            known.name = "Kim's"
            new.tryUntil = Self.evening + 700
            new.trustedAuthority = "a"
        }
        let before = household.devices[1]
        try household.merge(Self.stranger, into: tablet, at: Self.evening + 900)
        #expect(household.devices.count == 2)
        let merged = household.devices[1]
        #expect(
            merged.id == tablet && merged.name == "Kim's" && merged.kind == .tablet && merged.person == kid)
        #expect(merged.firstSeen == before.firstSeen && merged.lastSeen == Self.evening + 600)
        #expect(merged.addresses == ["10.0.0.9", "fd00::9", "10.0.0.3"])
        #expect(merged.hardwareAddress == Self.new && merged.formerHardwareAddresses == [Self.old])
        #expect(merged.tryUntil == Self.evening + 700 && merged.trustedAuthority == "a")
        #expect(household.returns.isEmpty)
        #expect(throws: Refusal.returnNotOffered) {
            try household.merge(Self.stranger, into: tablet, at: Self.evening + 900)
        }
    }

    @Test func nothingElseCanBeMerged() {
        for (newcomer, known) in [
            (Self.stranger, phone), (tablet, Self.stranger), (phone, tablet), (tablet, tablet),
            (DeviceID(rawValue: 77), tablet), (Self.stranger, DeviceID(rawValue: 77)),
        ] {
            var household = Self.household()
            #expect(throws: Refusal.returnNotOffered) {
                try household.merge(newcomer, into: known, at: Self.evening)
            }
            #expect(household == Self.household())
        }
    }

    @Test("In a strict session a merge only blocks more: every blocked name stays blocked")
    func neverLoosens() throws {
        for exempt in [Device.Kind.tablet, .medical] {
            var household = Self.household { known, _ in known.kind = exempt }
            _ = try household.startSession(
                kid, durationMinutes: 480, strictness: .strict, id: UUID(), at: Self.evening)
            let before = Self.blocked(household)
            try household.merge(Self.stranger, into: tablet, at: Self.evening + 900)
            #expect(Self.blocked(household).isSuperset(of: before))
            #expect(Self.blocked(household).contains("10.0.0.9"))
        }
    }

    @Test("A merge does not take a device out of the strict session that holds it")
    func fromAStrictSession() throws {
        var household = Self.household { known, new in
            (new.person, new.isConfirmed) = (me, false)
            new.firstSeen = known.lastSeen - 500
        }
        _ = try household.startSession(
            me, durationMinutes: 480, strictness: .strict, id: UUID(), at: Self.evening)
        let before = household
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try household.merge(Self.stranger, into: tablet, at: Self.evening + 900)
        }
        #expect(household == before)
        // With the same person nothing is loosened.
        household.devices[1].person = me
        try household.merge(Self.stranger, into: tablet, at: Self.evening + 900)
    }

    @Test func theOldAddressesStayItsOwnAndAreNotWithoutEnd() throws {
        var household = Self.household()
        for number in 0..<30 {
            let index = household.devices.count - 1
            if number > 0 {
                let seen = household.devices[1].lastSeen
                household.devices.append(
                    Device(
                        id: DeviceID(rawValue: Int64(100 + number)), name: "x", networkName: "kims-tablet",
                        addresses: ["10.0.1.\(number)"], hardwareAddress: "02:00:00:00:01:\(10 + number)",
                        firstSeen: seen + 60, lastSeen: seen + 120))
            }
            let newcomer = household.devices[number > 0 ? index + 1 : index].id
            try household.merge(newcomer, into: tablet, at: Self.evening + 900)
        }
        let merged = household.devices[1]
        #expect(household.devices.count == 2)
        #expect(merged.hardwareAddress == "02:00:00:00:01:39")
        #expect(merged.formerHardwareAddresses.first == "02:00:00:00:01:38")
        #expect(merged.formerHardwareAddresses.count == Device.mostFormerHardware)
        #expect(merged.addresses.count { !$0.contains(":") } == Device.mostAddresses)
        #expect(merged.addresses.count { $0.contains(":") } == 1, "IPv4 pushes no IPv6 address out")
        #expect(Set(merged.formerHardwareAddresses).count == Device.mostFormerHardware)
    }

    @Test(
        "A newcomer's addresses leave the known device at least half of its own", arguments: [1, 15, 16, 40])
    func addressesOfBoth(_ count: Int) throws {
        var household = Self.household()
        let own = (1...Device.mostAddresses).map { "fd00::\($0)" }
        household.devices[1].addresses = own
        let newcomer = try #require(household.devices.firstIndex { $0.id == Self.stranger })
        household.devices[newcomer].addresses = (1...count).map { "fd77::\($0)" }
        try household.merge(Self.stranger, into: tablet, at: Self.evening + 900)
        let merged = household.devices[1].addresses
        #expect(merged.count == Device.mostAddresses && merged.first == "fd77::1")
        #expect(merged.filter { $0.hasPrefix("fd00") }.count >= Device.mostAddresses / 2)
    }

    @Test func itIsSaidWhereThingsChange() {
        let facts = HouseFacts(now: Self.evening + 900, runningSince: Self.evening)
        #expect(Self.household().findings(facts).map(\.id) == ["returned-device-2"])
        #expect(
            Self.household { known, _ in known.name = "Kim\u{202E}'s" }.findings(facts).map(\.sentence)
                == [
                    "A new device may be \u{201C}Kim's\u{201D} with a new address. Devices asks whether it is."
                ])
        #expect(Self.household { _, new in new.networkName = nil }.findings(facts).isEmpty)
    }

    /// The addresses of devices whose person sleeps.
    private static func blocked(_ household: Household) -> Set<String> {
        Set(household.devices.filter { $0.person == kid }.flatMap(\.addresses))
    }
}
