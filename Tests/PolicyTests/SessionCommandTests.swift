import Foundation
import Testing

@testable import Policy

@Suite struct SessionCommandTests {
    @Test(
        "SI-125: only the six durations",
        arguments: [-30, 0, 1, 29, 31, 45, 90, 481, 1_000_000, Int.max, Int.min])
    func otherDurationsAreRefused(_ minutes: Int) {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        #expect(throws: Refusal.unknownDuration) { try house.start(minutes) }
        #expect(house.session == nil)
    }

    @Test("SI-099: one session at a time")
    func oneAtATime() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(30)
        let first = house.session
        #expect(throws: Refusal.sessionRunning) { try house.start(60) }
        #expect(house.session == first)
        house.go(to: "2026-11-20T20:30:00Z")
        try house.start(60, .strict)
        #expect(house.session?.strictness == .strict)
    }

    @Test("SI-099: the night's session is a session too")
    func notDuringTheNight() {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T23:00:00Z")
        #expect(throws: Refusal.sessionRunning) { try house.start(60) }
    }

    @Test("SI-084, SI-041: a strict session cannot be cancelled, manual or nightly")
    func strictIsNotCancelled() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60, .strict)
        #expect(throws: Refusal.strictSession) { try house.change { try $0.beginCancel(me, at: $1) } }
        #expect(house.session?.cancelsAt == nil)
        var night = House(home(schedule("22:00", "07:00", .strict)), at: "2026-11-20T23:00:00Z")
        #expect(throws: Refusal.strictSession) { try night.change { try $0.beginCancel(me, at: $1) } }
    }

    @Test("A-07: a second press does not start the 30 seconds again")
    func secondPress() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(20)
        try house.change { try $0.beginCancel(me, at: $1) }
        #expect(house.session?.cancelsAt == at("2026-11-20T20:00:30Z"))
        house.wait(10)
        #expect(house.session == nil)
    }

    @Test("SI-042: a clock that is set back does not delay a cancel")
    func cancelledAhead() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(480)
        house.wait(3 * 3_600)
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(-3_600)
        #expect(house.session?.cancelsAt == at("2026-11-20T22:00:30Z"))
        house.wait(30)
        #expect(house.session == nil)
    }

    @Test("SI-007: cancelling, keeping and resetting need a session")
    func withoutASession() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        #expect(throws: Refusal.noSession) { try house.change { try $0.beginCancel(me, at: $1) } }
        #expect(throws: Refusal.noSession) { try house.change { try $0.keepSleeping(me, at: $1) } }
        #expect(throws: Refusal.noSession) { try house.reset() }
        try house.start(30)
        try house.change { try $0.keepSleeping(me, at: $1) }
        #expect(house.session != nil)
    }

    @Test func anExpiredSessionIsNoneAlsoBeforeItIsSettled() throws {
        var household = home()
        try household.startSession(
            me, durationMinutes: 30, strictness: .strict, id: UUID(), at: at("2026-11-20T20:00:00Z"))
        let end = at("2026-11-20T20:30:00Z")
        #expect(throws: Refusal.noSession) { try household.emergencyReset(me, at: end) }
        #expect(throws: Refusal.noSession) { try household.beginCancel(me, at: end) }
        #expect(household.evaluate(at: end)[me]?.blocks == [])
    }

    @Test("SI-062: a new default mode is for the next session")
    func defaultStrictness() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60, .strict)
        try house.change { household, _ in try household.setDefaultStrictness(me, to: .flexible) }
        #expect(house.session?.strictness == .strict)
        #expect(house.household[person: me]?.defaultStrictness == .flexible)
    }

    @Test func nobodyCanCommandSomebodyWhoIsGone() {
        var household = home()
        let gone = PersonID(rawValue: 99)
        let now = at("2026-11-20T20:00:00Z")
        let before = household
        #expect(throws: Refusal.unknownPerson) {
            try household.startSession(gone, durationMinutes: 30, strictness: .strict, id: UUID(), at: now)
        }
        #expect(throws: Refusal.unknownPerson) { try household.beginCancel(gone, at: now) }
        #expect(throws: Refusal.unknownPerson) { try household.emergencyReset(gone, at: now) }
        #expect(throws: Refusal.unknownPerson) { try household.saveSchedule(gone, .default, at: now) }
        #expect(throws: Refusal.unknownPerson) { try household.changeTonight(gone, .skip, at: now) }
        #expect(throws: Refusal.unknownPerson) { try household.assign(phone, to: gone, at: now) }
        #expect(throws: Refusal.unknownPerson) { try household.setNewDevices(belongTo: gone) }
        #expect(household == before)
    }

    @Test("C-04: a person's escape lifts no other person's block")
    func others() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        try house.change {
            try $0.startSession(kid, durationMinutes: 60, strictness: .strict, id: UUID(), at: $1)
        }
        try house.reset()
        #expect(house.session == nil && house.household.evaluate(at: house.now)[kid]?.blocks.count == 1)
    }
}
