import Foundation
import Testing

@testable import Policy

@Suite("While a strict session runs, changes that would loosen it are refused")
struct StrictGuardTests {
    typealias Command = @Sendable (inout Household, Date) throws -> Void

    static let catalog = Catalog(
        categories: [Category(id: "social", name: "Social"), Category(id: "phone", name: "Phone")],
        apps: [App(id: "tiktok", name: "TikTok", category: "social", suffixes: ["tiktok.com"])],
        alwaysReachable: [
            AlwaysReachable(
                id: "android", name: "Android", reason: "r", hosts: ["www.google.com"], isOptional: true)
        ])

    static let loosening: [(String, Command)] = [
        ("release", { try $0.release(phone, at: $1) }),
        ("give away", { try $0.assign(phone, to: kid, at: $1) }),
        ("mark medical", { try $0.setKind(phone, to: .medical, at: $1) }),
        ("mark safety", { try $0.setKind(phone, to: .safety, at: $1) }),
        ("zone", { try $0.setTimeZone("Europe/Berlin", at: $1) }),
        ("remove person", { try $0.removePerson(me, at: $1) }),
        ("tick optional", { try $0.setUnreachable([], catalog: catalog, at: $1) }),
    ]

    static let free: [(String, Command)] = [
        ("enroll again", { household, _ in try household.enroll(phone, for: me) }),
        ("assign to the same", { try $0.assign(phone, to: me, at: $1) }),
        ("rename device", { household, _ in try household.renameDevice(phone, to: "Mine") }),
        ("other kind", { try $0.setKind(phone, to: .tablet, at: $1) }),
        ("somebody else's device", { try $0.release(tablet, at: $1) }),
        ("one more device", { try $0.assign(tablet, to: me, at: $1) }),
        ("same zone", { try $0.setTimeZone("UTC", at: $1) }),
        ("remove another", { try $0.removePerson(kid, at: $1) }),
        ("untick optional", { try $0.setUnreachable(["android"], catalog: catalog, at: $1) }),
        ("schedule", { try $0.saveSchedule(me, schedule("22:00", "07:00", isEnabled: false), at: $1) }),
        (
            "allowed",
            { household, _ in
                try household.saveAllowed(me, AppSelection(apps: ["tiktok"]), catalog: catalog)
            }
        ),
        ("own app", { try $0.addOwnApp(name: "Mine", domains: ["example.org"], at: $1) }),
        ("mode", { household, _ in try household.setDefaultStrictness(me, to: .flexible) }),
        ("help", { try $0.useHelp(phone, at: $1) }),
    ]

    private func house(_ strictness: StrictnessMode) throws -> House {
        var household = home()
        household.unreachable = ["android"]
        var house = House(household, at: "2026-11-20T20:00:00Z")
        try house.start(60, strictness)
        house.wait(60)
        return house
    }

    @Test(arguments: loosening.indices)
    func refused(_ index: Int) throws {
        let (name, command) = Self.loosening[index]
        var strict = try house(.strict)
        let before = strict.household
        #expect(throws: Refusal.looseningStrict(of: "Me"), "\(name)") { try strict.change(command) }
        #expect(strict.household == before, "\(name)")
        // A flexible session, or one that is over, restricts nothing.
        var flexible = try house(.flexible)
        try flexible.change(command)
        strict.go(to: "2026-11-20T21:00:00Z")
        try strict.change(command)
    }

    @Test(arguments: free.indices)
    func allowed(_ index: Int) throws {
        let (name, command) = Self.free[index]
        var strict = try house(.strict)
        try strict.change(command)
        #expect(strict.verdict.blocks.count == 1, "\(name)")
        #expect(strict.household[device: phone]?.person == me)
    }

    @Test("A device marked medical or safety earlier can go", arguments: [Device.Kind.medical, .safety])
    func medical(_ kind: Device.Kind) throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.change { try $0.setKind(phone, to: kind, at: $1) }
        try house.start(60, .strict)
        try house.change { try $0.setKind(phone, to: kind == .medical ? .safety : .medical, at: $1) }
        try house.change { try $0.release(phone, at: $1) }
        #expect(house.household[device: phone]?.person == nil)
    }

    @Test("A device first seen during the session can go; one seen just before cannot")
    func newDevice() throws {
        var strict = try house(.strict)
        let started = strict.session!.startedAt
        for (seen, isFree) in [
            (started.addingTimeInterval(-0.001), false), (started, false),
            // Seen before the press, in the second to which the start was rounded down.
            (started.addingTimeInterval(0.999), false), (started.addingTimeInterval(1), true),
            (strict.now, true),
        ] {
            strict.household.devices[0].firstSeen = seen
            var copy = strict
            if isFree {
                try copy.change { try $0.setKind(phone, to: .medical, at: $1) }
                try copy.change { try $0.release(phone, at: $1) }
            } else {
                #expect(throws: Refusal.looseningStrict(of: "Me")) {
                    try copy.change { try $0.release(phone, at: $1) }
                }
            }
        }
    }

    @Test("SI-092: an own app cannot be slipped onto a shelf that a stored session allows")
    func ownAppOnAnAllowedShelf() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        house.household.people[0].session = .manual(
            id: UUID(), durationMinutes: 60, strictness: .strict, at: house.now,
            allowed: AppSelection(categories: ["own"]))
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try house.change { try $0.addOwnApp(name: "Feed", domains: ["tiktok.com"], at: $1) }
        }
    }

    @Test("SI-092: an own app that is added again does not inherit the former one's tick")
    func ownAppMadeAgain() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        let first = try house.change { try $0.addOwnApp(name: "Radio", domains: ["radio.example"], at: $1) }
        house.household.people[0].allowed = AppSelection(apps: [first.id])
        try house.start(60, .strict)
        try house.change { household, _ in try household.removeOwnApp(first.id) }
        let second = try house.change { try $0.addOwnApp(name: "Radio", domains: ["tiktok.com"], at: $1) }
        #expect(first.id == "own-radio" && second.id == "own-radio-2")
    }

    @Test func emergencyResetAndHelpRemain() throws {
        var strict = try house(.strict)
        try strict.change { try $0.useHelp(phone, at: $1) }
        try strict.reset()
        #expect(strict.verdict.blocks.isEmpty)
    }
}
