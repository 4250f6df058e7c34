import Foundation
import Testing

@testable import Policy

@Suite("A wrong merge can be undone while nothing contradicts it")
struct MergeUndoTests {
    typealias Change = ReturnTests.Change
    private static let now = ReturnTests.evening + 900

    /// Kim's tablet, merged with the device that was taken for it.
    private func merged(
        _ change: (inout Device, inout Device) -> Void = { _, _ in }
    ) throws -> (before: Household, after: Household, merge: Merge) {
        let before = ReturnTests.household(change)
        var after = before
        let merge = try after.merge(ReturnTests.stranger, into: tablet, at: Self.now)
        return (before, after, merge)
    }

    private static let kinds: [Change] = [
        { _, _ in },
        { known, new in
            known.name = "Kim's"
            known.formerHardwareAddresses = ["02:00:00:00:00:77"]
            known.toldApart = [phone]
            known.hasNoMobileData = true
            new.kind = .phone
            (new.person, new.isConfirmed) = (me, false)
            new.trustedAuthority = "a"
        },
        { known, new in
            known.hardwareAddress = nil
            (new.person, new.isConfirmed) = (kid, false)
            new.hardwareAddress = nil
        },
    ]

    @Test(
        "Both are as they were: persons, names, addresses, hardware addresses, marks", arguments: [0, 1, 2])
    func asTheyWere(_ index: Int) throws {
        for wait in [0, 600, 86_400, Merge.lifetime - 1] {
            var (before, household, merge) = try merged(Self.kinds[index])
            // Somebody had said that a third device is not the newcomer.
            before.devices[0].toldApart = [ReturnTests.stranger]
            household = before
            merge = try household.merge(ReturnTests.stranger, into: tablet, at: Self.now)
            household.devices[0].toldApart = []
            #expect(household.isUndoable(merge, at: Self.now + wait))
            try household.undo(merge, at: Self.now + wait)
            #expect(household == before)
            #expect(household.returns.map(\.newcomer.id) == [ReturnTests.stranger], "it is asked again")
            #expect(throws: Refusal.undoOvertaken) { try household.undo(merge, at: Self.now + wait) }
        }
    }

    private static let contradictions: [(String, @Sendable (inout Household) throws -> Void)] = [
        ("named", { try $0.renameDevice(tablet, to: "Other") }),
        ("another kind", { try $0.setKind(tablet, to: .phone, at: now) }),
        ("given away", { try $0.assign(tablet, to: me, at: now) }),
        ("released", { try $0.release(tablet, at: now) }),
        ("marked", { try $0.setHasNoMobileData(tablet, to: true) }),
        ("taken out", { $0.devices.remove(at: 1) }),
        ("trusts the shield", { $0.devices[1].trustedAuthority = "b" }),
        ("about to leave", { $0.devices[1].departure = Departure(askedAt: now, due: now) }),
        ("a third hardware address", { $0.devices[1].use(hardware: "02:00:00:00:00:0a") }),
        ("the hardware is another's now", { $0.devices[0].hardwareAddress = ReturnTests.old }),
    ]

    @Test(
        "The next change of the device ends it, and nothing is done", arguments: contradictions.indices)
    func contradicted(_ index: Int) throws {
        let (name, change) = Self.contradictions[index]
        var (_, household, merge) = try merged()
        try change(&household)
        let before = household
        #expect(!household.isUndoable(merge, at: Self.now + 60), "\(name)")
        #expect(throws: Refusal.undoOvertaken) { try household.undo(merge, at: Self.now + 60) }
        #expect(household == before)
    }

    @Test("After a week the merge stays; also if the newcomer's person is gone")
    func over() throws {
        let (_, household, merge) = try merged { _, new in (new.person, new.isConfirmed) = (me, false) }
        #expect(!household.isUndoable(merge, at: Self.now + Merge.lifetime))
        #expect(household.isUndoable(merge, at: Self.now - 3_600), "a clock that was set back")
        var alone = household
        alone.people.removeFirst()
        #expect(!alone.isUndoable(merge, at: Self.now + 60))
    }

    @Test("These are not changes: addresses, hardware addresses that come and go, the network's name")
    func sightings() throws {
        var (_, household, merge) = try merged()
        household.devices[1].addresses.insert("fd00::77", at: 0)
        household.devices[1].addresses.removeAll { $0 == "10.0.0.9" }
        household.devices[0].addresses.append("10.0.0.9")
        household.devices[1].use(hardware: ReturnTests.old)
        household.devices[1].networkName = "x"
        household.devices[1].lastSeen = Self.now + 500
        household.devices[1].helpUntil = Self.now + 1_000
        try household.undo(merge, at: Self.now + 600)
        let (known, newcomer) = (household.devices[1], household.devices[2])
        #expect(known.addresses == ["fd00::77", "10.0.0.3"], "an address of nobody knows whom stays blocked")
        #expect(newcomer.addresses == ["fd00::9"], "what another one has by now it keeps")
        #expect(known.hardwareAddress == ReturnTests.old && newcomer.hardwareAddress == ReturnTests.new)
        #expect(known.helpUntil == Self.now + 1_000 && newcomer.helpUntil == Self.now + 1_000)
        let all = household.devices.flatMap(\.addresses)
        #expect(Set(all).count == all.count)
    }

    @Test(
        "Addresses that found no room in the merge and came back since belong to the device that has them"
    )
    func manyAddresses() throws {
        let (before, after, merge) = try merged { known, new in
            known.addresses = (1...Device.mostAddresses).map { "fd66::\($0)" }
            new.addresses = (1...Device.mostAddresses).map { "fd77::\($0)" }
        }
        var household = after
        #expect(household.devices[1].addresses.count == Device.mostAddresses)
        household.devices[1].addresses.insert(contentsOf: ["fd66::16", "fd77::16"], at: 0)
        try household.undo(merge, at: Self.now + 600)
        #expect(household == before)
    }

    @Test("An undo loosens neither a strict session nor a wait; with the same person it loosens nothing")
    func neverLoosens() throws {
        for (change, isHeld): (Change, Bool) in [
            ({ _, _ in }, true),
            ({ _, new in (new.person, new.isConfirmed) = (me, false) }, true),
            ({ _, new in new.kind = .medical }, true),
            ({ _, new in (new.person, new.isConfirmed, new.kind) = (kid, false, .medical) }, true),
            ({ _, new in (new.person, new.isConfirmed) = (kid, false) }, false),
            ({ known, _ in known.kind = .medical }, false),
        ] {
            var (_, household, merge) = try merged(change)
            _ = try household.startSession(
                kid, durationMinutes: 60, strictness: .strict, id: UUID(), at: Self.now + 30)
            let asleep = household
            if isHeld {
                #expect(throws: Refusal.looseningStrict(of: "Kim")) {
                    try household.undo(merge, at: Self.now + 60)
                }
                #expect(household == asleep)
                _ = household.settle(at: Self.now + 3_700, newID: UUID.init)
                try household.undo(merge, at: Self.now + 3_700)
            } else {
                try household.undo(merge, at: Self.now + 60)
            }
            #expect(household.devices.count == 3)
        }
        var (_, household, merge) = try merged()
        household.people[1].looseningDelay = 24
        household.people[1].limits.list = [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)]
        #expect(throws: Refusal.looseningWaits(of: "Kim", hours: 24)) {
            try household.undo(merge, at: Self.now + 60)
        }
    }

    @Test("A guest first seen during the strict session can be released, as without the merge")
    func firstSeenDuringIt() throws {
        var household = ReturnTests.household()
        _ = try household.startSession(
            kid, durationMinutes: 480, strictness: .strict, id: UUID(), at: ReturnTests.evening)
        let before = household
        let merge = try household.merge(ReturnTests.stranger, into: tablet, at: Self.now)
        try household.undo(merge, at: Self.now + 60)
        #expect(household == before)
    }
}
