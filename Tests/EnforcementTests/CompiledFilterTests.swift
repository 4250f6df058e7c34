import Directory
import Foundation
import NIOCore
import Policy
import Testing

@testable import DNS
@testable import Enforcement

/// The compiled filter always agrees with the slow, obvious evaluation, name by name (design.md, "Verdict").
@Suite struct CompiledFilterTests {
    static let now = ManualClock.date("2026-11-21T22:30:00Z")

    static let catalog = Catalog(
        categories: ["social", "video", "phone", "messengers", "maps", "health"].map {
            Policy.Category(id: $0, name: $0)
        },
        apps: [
            App(
                id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com", "tiktokv.com"],
                pages: ["tiktok.com"]),
            App(id: "youtube", name: "YouTube", category: "video", suffixes: ["youtube.com", "ytimg.com"]),
            App(
                id: "whatsapp", name: "WhatsApp", category: "messengers",
                suffixes: ["whatsapp.com", "whatsapp.net"]),
            App(id: "calls", name: "Phone", category: "phone", suffixes: ["calls.example"]),
        ],
        alwaysReachable: [
            AlwaysReachable(id: "checks", name: "Checks", reason: "", suffixes: ["captive.apple.com"]),
            AlwaysReachable(
                id: "google", name: "Google", reason: "", hosts: ["www.google.com"], isOptional: true),
        ])

    static let names = [
        "tiktok.com", "www.tiktok.com", "nottiktok.com", "api.tiktokv.com", "youtube.com", "i.ytimg.com",
        "example.org",
        "a.b.c.example.org", "whatsapp.net", "web.whatsapp.com", "calls.example", "x.calls.example",
        "captive.apple.com",
        "apple.com", "www.google.com", "mail.www.google.com", "google.com", "own.example", "deep.own.example",
    ]

    @Test(arguments: 0..<300)
    func agreesNameByName(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var household = Self.household(&dice)
        // With a rule for new devices; a device that was taken out of the rules is not new.
        if seed % 3 == 0 { household.newDevicesBelongTo = household.people.first?.id }
        let snapshot = Snapshot(
            revision: 1, instant: Self.now, household: household,
            catalog: Self.catalog.adding(household.ownApps),
            verdicts: household.evaluate(at: Self.now))
        var compiler = FilterCompiler()
        let filter = compiler.compile(snapshot)
        for device in household.devices {
            for name in Self.names {
                let slow = snapshot.verdict(of: name, deviceAt: device.addresses[0]).block != nil
                #expect(try Self.blocks(filter, name, device.addresses[0]) == slow, "\(name) on \(device)")
            }
        }
        let unknown = snapshot.verdict(of: "tiktok.com", deviceAt: "10.9.9.9").block != nil
        #expect(try Self.blocks(filter, "tiktok.com", "10.9.9.9") == unknown, "nobody enrolled this one")
        #expect(!unknown || household.newDevicesBelongTo != nil)
    }

    @Test(
        "A child's limit closes VPN sites and encrypted resolvers by day too, an adult's does not",
        arguments: [true, false])
    func waysOut(isChild: Bool) throws {
        let id = PersonID(rawValue: 1)
        var household = Household(
            timeZone: "UTC", people: [Person(id: id, name: "Kim", role: isChild ? .child : .adult)])
        household.people[0].limits.list = [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)]
        household.devices = [Self.device(1, person: id)]
        var compiler = FilterCompiler()
        let filter = compiler.compile(Self.snapshot(household, at: "2026-11-21T12:00:00Z"))
        for (name, isClosed) in [
            ("api.nordvpn.com", isChild), ("dns.google", isChild), ("youtube.com", false),
        ] {
            #expect(try Self.blocks(filter, name, household.devices[0].addresses[0]) == isClosed, "\(name)")
        }
    }

    @Test func bedtimeNeedsNoNewTable() throws {
        var household = Household(timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")])
        household.people[0].allowed = AppSelection(apps: ["whatsapp"])
        household.people[0].schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay("23:00")!, end: TimeOfDay("07:00")!, strictness: .strict)
        let before = NameSets(Self.snapshot(household, at: "2026-11-21T22:59:59Z"))
        _ = household.settle(at: ManualClock.date("2026-11-21T23:00:00Z"), newID: UUID.init)
        let after = NameSets(Self.snapshot(household, at: "2026-11-21T23:00:00Z"))
        #expect(household.people[0].session != nil)
        #expect(before == after)
    }

    @Test("A try holds only on its device, and no answer outlives it")
    func tries() throws {
        var household = Household(
            timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")],
            devices: [
                Self.device(0, person: PersonID(rawValue: 1)), Self.device(1, person: PersonID(rawValue: 1)),
            ])
        household.devices.append(Self.device(2, person: nil))
        try household.beginTry(household.devices[0].id, at: Self.now)
        try household.beginTry(household.devices[2].id, at: Self.now - 60)
        let snapshot = Self.snapshot(household, at: "2026-11-21T22:30:00Z")
        var compiler = FilterCompiler()
        let filter = compiler.compile(snapshot, monotonic: .uptimeNanoseconds(0))
        for (device, isTrying) in zip(household.devices, [true, false, true]) {
            let address = device.addresses[0]
            #expect(try Self.blocks(filter, "tiktok.com", address) == isTrying)
            #expect(
                snapshot.verdict(of: "tiktok.com", deviceAt: address).block?.isTry == (isTrying ? true : nil))
            #expect(try !Self.blocks(filter, "captive.apple.com", address))
        }
        let ends = household.devices.map { device in
            filter.group(of: ClientAddress(device.addresses[0])!).flatMap { filter.groups[$0].answersEnd }
        }
        #expect(ends == [.uptimeNanoseconds(120_000_000_000), nil, .uptimeNanoseconds(60_000_000_000)])
        #expect(FilterCompiler.dueInstants(of: snapshot).min() == Self.now + 60)
    }

    @Test(arguments: [(-301.0, 60 as UInt32), (-299, 15), (-1, 15)])
    func answersAreShortBeforeABedtime(seconds: Double, ceiling: UInt32) throws {
        var household = Household(timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")])
        household.people[0].schedule = RecurringSchedule(
            isEnabled: true, start: TimeOfDay("23:00")!, end: TimeOfDay("07:00")!, strictness: .strict)
        household.devices = [Self.device(1, person: PersonID(rawValue: 1))]
        let instant = ManualClock.date("2026-11-21T23:00:00Z").addingTimeInterval(seconds)
        let snapshot = Snapshot(
            revision: 1, instant: instant, household: household, catalog: Self.catalog,
            verdicts: household.evaluate(at: instant))
        var compiler = FilterCompiler()
        let filter = compiler.compile(snapshot, monotonic: .uptimeNanoseconds(0))
        #expect(filter.groups[0].ttlCeiling == ceiling)
        #expect(filter.groups[0].answersEnd == .uptimeNanoseconds(0) + .milliseconds(Int64(-seconds * 1000)))
    }

    @Test func tenThousandDevicesCostInProportion() {
        func seconds(_ count: Int) -> Double {
            var household = Household(
                timeZone: "UTC", people: [Person(id: PersonID(rawValue: 1), name: "Me")])
            household.devices = (0..<count).map { Self.device($0, person: PersonID(rawValue: 1)) }
            let clock = ContinuousClock()
            let runs = (0..<5).map { _ in
                clock.measure {
                    let snapshot = Snapshot(
                        revision: 1, instant: Self.now, household: household, catalog: Self.catalog,
                        verdicts: household.evaluate(at: Self.now))
                    var compiler = FilterCompiler()
                    _ = compiler.compile(snapshot)
                } / .seconds(1)
            }
            return runs.min()!
        }
        let small = seconds(1_000)
        let large = seconds(10_000)
        print("evaluate and compile: 1,000 devices \(small * 1000) ms, 10,000 devices \(large * 1000) ms")
        #expect(large < small * 25, "ten times the devices, about ten times the time")
    }

    static func blocks(_ filter: Filter, _ name: String, _ address: String) throws -> Bool {
        let client = try #require(ClientAddress(address))
        guard let group = filter.group(of: client) else { return false }
        let match = try #require(filter.table.match(name))
        switch filter.rules.groups[group].decide(match, in: filter.table)?.kind {
        case .block, .null: return true
        case .forward, .forwardUncapped, .relay, .nameError, nil: return false
        }
    }

    static func snapshot(_ household: Household, at text: String) -> Snapshot {
        let instant = ManualClock.date(text)
        return Snapshot(
            revision: 1, instant: instant, household: household, catalog: catalog,
            verdicts: household.evaluate(at: instant))
    }

    static func device(_ number: Int, person: PersonID?) -> Device {
        Device(
            id: DeviceID(rawValue: Int64(number + 1)), name: "Device \(number)", person: person,
            addresses: ["10.0.\(number / 250).\(number % 250 + 1)"], firstSeen: now, lastSeen: now)
    }
}

extension CompiledFilterTests {
    static func household(_ dice: inout Dice) -> Household {
        var household = Household(timeZone: "Europe/Berlin", people: [])
        household.unreachable = dice.coin() ? ["google"] : []
        household.ownApps =
            dice.coin() ? [App(id: "own-one", name: "Own", category: "own", suffixes: ["own.example"])] : []
        for number in 1...dice.number(1...3) {
            household.people.append(person(number, &dice))
        }
        household.devices = (0..<dice.number(1...6)).map { number in
            let owner = dice.number(0...household.people.count)
            var device = device(number, person: owner == 0 ? nil : household.people[owner - 1].id)
            if owner == 0, dice.coin() { device.family = family(in: household, &dice) }
            if dice.coin() { device.helpUntil = now.addingTimeInterval(Double(dice.number(-600...600))) }
            if dice.coin() { device.helpMessagesFrom = now.addingTimeInterval(Double(dice.number(-60...60))) }
            if dice.coin() { device.tryUntil = now.addingTimeInterval(Double(dice.number(-120...120))) }
            return device
        }
        _ = household.settle(at: now, newID: UUID.init)
        return household
    }

    static func family(in household: Household, _ dice: inout Dice) -> FamilyUse {
        let all: [FamilyUse.Times] = [
            .never, .anyChild, .allChildren,
            .person(household.people[dice.number(0...household.people.count - 1)].id),
        ]
        return FamilyUse(all[dice.number(0...3)], minutesOf: dice.coin() ? household.people[0].id : nil)
    }

    private static func person(_ number: Int, _ dice: inout Dice) -> Person {
        var person = Person(
            id: PersonID(rawValue: Int64(number)), name: "Person \(number)",
            role: dice.coin() ? .adult : .child)
        person.allowed = AppSelection(
            apps: dice.some(of: ["tiktok", "youtube", "whatsapp", "own-one", "gone"]),
            categories: dice.some(of: ["social", "video", "maps"]),
            domains: dice.some(of: ["example.org", "google.com"]))
        if dice.coin() {
            person.schedule = RecurringSchedule(
                isEnabled: dice.coin(), start: TimeOfDay(hour: dice.number(18...23), minute: 0),
                end: TimeOfDay(hour: dice.number(0...9), minute: 30), strictness: .flexible)
        }
        if dice.coin() {
            person.session = .manual(
                id: UUID(), durationMinutes: 120, strictness: .strict,
                at: now.addingTimeInterval(Double(dice.number(-9000 ... -60))), allowed: person.allowed)
        }
        return person
    }
}

/// Small reproducible randomness (xorshift64*).
struct Dice {
    private var state: UInt64

    init(seed: UInt64) { state = (seed &+ 1) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 33) % range.count
    }
    mutating func coin() -> Bool { next() >> 40 & 1 == 0 }
    mutating func some(of all: [String]) -> Set<String> { Set(all.filter { _ in coin() }) }
}
