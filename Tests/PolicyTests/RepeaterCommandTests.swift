import Foundation
import Testing

@testable import Policy

@Suite("Somebody can say that a supposed repeater is one device, and take it back")
struct RepeaterCommandTests {
    private static let hardware = "02:00:00:00:00:02"
    private static let other = "02:00:00:00:00:03"

    /// Kim's tablet is known by a hardware address that was found to be a repeater's.
    private func house() -> House {
        var household = home()
        household.devices[1].hardwareAddress = Self.hardware
        household.repeaters = [Self.hardware, Self.other]
        return House(household, at: "2026-11-20T20:00:00Z")
    }

    @Test func saidAndTakenBack() throws {
        var house = house()
        #expect(throws: Refusal.undoOvertaken) {
            try house.change { try $0.allowForRepeater(behind: tablet, at: $1) }
        }
        try house.change { try $0.ruleOutRepeater(behind: tablet, at: $1) }
        #expect(house.household.repeaters == [Self.other])
        #expect(house.household.notRepeaters == [Self.hardware])
        #expect(throws: Refusal.undoOvertaken) {
            try house.change { try $0.ruleOutRepeater(behind: tablet, at: $1) }
        }
        try house.change { try $0.allowForRepeater(behind: tablet, at: $1) }
        #expect(house.household.repeaters == [Self.other])
        #expect(house.household.notRepeaters == [])
        #expect(throws: Refusal.undoOvertaken) {
            try house.change { try $0.ruleOutRepeater(behind: phone, at: $1) }
        }
        #expect(throws: Refusal.unknownDevice) {
            try house.change { try $0.ruleOutRepeater(behind: DeviceID(rawValue: 99), at: $1) }
        }
    }

    @Test(
        "A child's device counts as one device until somebody says that it may be a repeater; others do not"
    )
    func believed() throws {
        var house = house()
        house.household.repeaters = []
        house.household.devices[0].hardwareAddress = Self.other
        #expect(!house.household.believesRepeater(Self.hardware))
        #expect(house.household.believesRepeater(Self.other))
        #expect(house.household.believesRepeater("02:00:00:00:00:77"), "nobody's")
        #expect(!house.household.mayHideRepeater(house.household.devices[1]))
        house.household.devices[1].addresses = ["10.0.0.3", "fd00::3", "10.0.0.4"]
        #expect(house.household.mayHideRepeater(house.household.devices[1]))
        try house.change { try $0.allowForRepeater(behind: tablet, at: $1) }
        #expect(house.household.possibleRepeaters == [Self.hardware])
        #expect(house.household.believesRepeater(Self.hardware))
        #expect(!house.household.mayHideRepeater(house.household.devices[1]))
        try house.change { try $0.ruleOutRepeater(behind: tablet, at: $1) }
        #expect(!house.household.believesRepeater(Self.hardware) && house.household.possibleRepeaters == [])
        house.household.devices[1].person = me
        #expect(!house.household.believesRepeater(Self.hardware), "said is said")
    }

    @Test("What was found about a hardware address goes with its last device")
    func removed() throws {
        var house = house()
        house.household.devices[0].formerHardwareAddresses = [Self.other]
        house.household.devices[1].hardwareAddress = Self.other
        house.household.remove(tablet)
        #expect(house.household.repeaters == [Self.hardware, Self.other], "the phone had it too")
        house.household.remove(phone)
        #expect(house.household.devices.isEmpty)
        #expect(house.household.repeaters == [Self.hardware], "that is nobody's here")
        house = self.house()
        house.household.remove(tablet)
        #expect(house.household.repeaters == [Self.other])
    }

    @Test("A device with its own hardware address is not behind the repeater, however strict its rules are")
    func uninvolved() throws {
        var house = house()
        house.household.devices[0].hardwareAddress = "02:00:00:00:00:01"
        try house.start(60, .strict)
        house.wait(60)
        try house.change { try $0.ruleOutRepeater(behind: tablet, at: $1) }
    }

    @Test("A device marked medical or safety does not take in its own person's sleeping devices either")
    func exempt() throws {
        var house = house()
        house.household.devices[1].person = me
        house.household.devices[1].kind = .medical
        try house.start(60, .strict)
        house.wait(60)
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try house.change { try $0.ruleOutRepeater(behind: tablet, at: $1) }
        }
    }

    @Test("Refused if it could take another's device out of a strict session; one's own does not prevent it")
    func notOutOfAStrictSession() throws {
        var house = house()
        try house.start(60, .strict)
        house.wait(60)
        let before = house.household
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try house.change { try $0.ruleOutRepeater(behind: tablet, at: $1) }
        }
        #expect(house.household == before)
        try house.change { household, now in
            household.devices[0].person = kid
            try household.ruleOutRepeater(behind: tablet, at: now)
        }
    }

    @Test("It cannot be taken back during the device's own strict session, or while loosening waits")
    func notTakenBack() throws {
        var house = house()
        try house.change { household, now in
            household.devices[1].person = me
            try household.ruleOutRepeater(behind: tablet, at: now)
        }
        try house.start(60, .strict)
        house.wait(60)
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try house.change { try $0.allowForRepeater(behind: tablet, at: $1) }
        }
        house.go(to: "2026-11-20T22:00:00Z")
        try house.change { household, _ in
            household.people[0].looseningDelay = 8
            household.people[0].antiRot.restricted = AppSelection(apps: ["tiktok"])
            household.people[0].antiRot.windows = [
                TimeWindow(id: UUID(), label: "", start: time("12:00"), end: time("13:00"))
            ]
        }
        #expect(throws: Refusal.looseningWaits(of: "Me", hours: 8)) {
            try house.change { try $0.allowForRepeater(behind: tablet, at: $1) }
        }
    }
}
