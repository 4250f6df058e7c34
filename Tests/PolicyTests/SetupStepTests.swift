import Foundation
import Testing

@testable import Policy

/// The steps of set-up, and the devices that they bring into the house.
@Suite struct SetupStepTests {
    @Test func stepsFollowEachOtherAndEnd() {
        var household = home()
        household.setupStep = .people
        for step in SetupStep.allCases {
            #expect(household.setupStep == step)
            household.finish(step)
        }
        #expect(household.setupStep == nil)
        household.finish(.people)
        #expect(household.setupStep == nil, "set-up that is over does not begin again")
    }

    @Test func anEarlierStepThatIsDoneAgainLosesNoLaterOne() {
        var household = home()
        household.setupStep = .bedtime
        household.finish(.people)
        #expect(household.setupStep == .bedtime)
        household.finish(.look)
        #expect(household.setupStep == nil, "a later page was reached by its address")
    }

    @Test func finishLaterAndDoneEndTheWayOfALogIn() {
        var household = home()
        household.leaveSetup()
        #expect(!household.setupWaits, "there is nothing to finish")
        household.setupStep = .device
        #expect(household.stepAfterLogin == .device)
        household.leaveSetup()
        #expect(household.stepAfterLogin == nil && household.setupStep == .device)
        household.finish(.device)
        #expect(household.stepAfterLogin == nil && household.setupStep == .bedtime)
        household.endSetup()
        #expect(household.setupStep == nil && !household.setupWaits)
    }

    private static let mia = PersonID(rawValue: 7)

    private func household(_ device: Device) -> Household {
        var household = home()
        household.people.append(Person(id: Self.mia, name: "Mia", role: .child))
        household.devices = [device]
        return household
    }

    private func phone(
        person: PersonID? = nil, isConfirmed: Bool = true, isNamed: Bool = false, networkName: String? = nil
    ) -> Device {
        Device(
            id: DeviceID(rawValue: 1), name: "Device at 10.0.0.2", isNamed: isNamed, networkName: networkName,
            kind: .phone, person: person, isConfirmed: isConfirmed, addresses: ["10.0.0.2"],
            firstSeen: at("2026-01-01T00:00:00Z"), lastSeen: at("2026-01-01T00:00:00Z"))
    }

    @Test func anInvitedDeviceIsConfirmed() throws {
        for guess in [phone(), phone(person: me, isConfirmed: false)] {
            var household = household(guess)
            try household.admit(guess.id, for: Self.mia, at: at("2026-11-20T20:00:00Z"))
            #expect(household.devices[0].person == Self.mia && household.devices[0].isConfirmed)
        }
    }

    @Test func anInvitationTakesNoDeviceAway() throws {
        let taken = phone(person: me)
        var household = household(taken)
        #expect(throws: Refusal.self) {
            try household.admit(taken.id, for: Self.mia, at: at("2026-11-20T20:00:00Z"))
        }
        #expect(household.devices == [taken])
        try household.admit(taken.id, for: me, at: at("2026-11-20T20:00:00Z"))
    }

    @Test func aDeviceIsCalledAfterItsPerson() {
        var household = household(phone(person: Self.mia))
        household.nameAfterOwner(DeviceID(rawValue: 1))
        #expect(household.devices[0].name == "Mia’s phone" && household.devices[0].isNamed)
    }

    @Test func aNameThatSomebodyGaveStays() {
        for named in [
            phone(person: Self.mia, isNamed: true), phone(person: Self.mia, networkName: "mias-pixel"),
            phone(),
        ] {
            var household = household(named)
            household.nameAfterOwner(DeviceID(rawValue: 1))
            #expect(household.devices == [named])
        }
    }
}
