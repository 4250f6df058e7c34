import Foundation
import Testing

@testable import Policy

@Suite struct OneTapUndoTests {
    private static let evening = "2026-11-20T20:00:00Z"
    private static let taps: [OneTap] = [.bedtime, .later, .skip, .at(time("23:00"))]

    @Test("Everything is as it was before", arguments: Self.taps, [0, 3.5, 8])
    func withinEightSeconds(_ tap: OneTap, _ seconds: Double) throws {
        var house = House(home(schedule("22:00", "07:00", .strict)), at: Self.evening)
        try house.change { household, _ in try household.setDefaultStrictness(me, to: .strict) }
        let before = house.household
        let press = try house.press(tap).press
        #expect(house.household != before)
        house.wait(seconds)
        try house.takeBack(press)
        #expect(house.household == before)
    }

    @Test("After eight seconds the press stays", arguments: Self.taps, [8.001, 60, -1])
    func notLater(_ tap: OneTap, _ seconds: Double) throws {
        var house = House(home(schedule("22:00", "07:00")), at: Self.evening)
        let press = try house.press(tap).press
        house.wait(seconds)
        #expect(press.secondsLeft(at: house.now) == 0)
        let before = house.household
        #expect(throws: Refusal.undoTooLate) { try house.takeBack(press) }
        #expect(house.household == before)
    }

    @Test func secondsAreRoundedUp() throws {
        var house = House(home(), at: Self.evening)
        let press = try house.press(.bedtime).press
        let left = [0, 0.2, 1, 7.9, 8].map { press.secondsLeft(at: house.now.addingTimeInterval($0)) }
        #expect(left == [8, 8, 7, 1, 0])
    }

    @Test("Nobody else takes it back", arguments: Self.taps)
    func onlyWhoPressed(_ tap: OneTap) throws {
        var house = House(home(schedule("22:00", "07:00", .strict)), at: Self.evening)
        let press = try house.press(tap).press
        #expect(throws: Refusal.undoNotYours) { try house.takeBack(press, by: "kim") }
    }

    @Test("Undoing a press restores the press before it")
    func oneStep() throws {
        var house = House(home(schedule("22:00", "07:00")), at: Self.evening)
        let first = try house.press(.later).press
        let second = try house.press(.later).press
        #expect(throws: Refusal.undoOvertaken) { try house.takeBack(first) }
        try house.takeBack(second)
        #expect(house.household[person: me]?.tonight?.minutes == 30)
        let skip = try house.press(.skip).press
        try house.takeBack(skip)
        #expect(house.household[person: me]?.tonight?.minutes == 30)
        #expect(throws: Refusal.undoOvertaken) { try house.takeBack(skip) }
    }

    @Test("A strict night that begins in those seconds is not lifted", arguments: Self.taps)
    func theNightStays(_ tap: OneTap) throws {
        var house = House(home(schedule("22:00", "07:00", .strict)), at: "2026-11-20T21:59:57Z")
        let press = try house.press(tap).press
        house.go(to: "2026-11-20T22:00:02Z")
        try house.takeBack(press)
        #expect(house.session?.night == day("2026-11-20") && house.session?.strictness == .strict)
        // Skipped or moved, the night had not begun at 22:00.
        let begun = tap == .bedtime ? "2026-11-20T22:00:00Z" : "2026-11-20T22:00:02Z"
        #expect(house.session?.startedAt == at(begun))
    }

    @Test("Changes that came in between stay")
    func overtaken() throws {
        var house = House(home(), at: Self.evening)
        let press = try house.press(.bedtime).press
        try house.reset()
        try house.start(30, .strict)
        #expect(throws: Refusal.undoOvertaken) { try house.takeBack(press) }
        #expect(house.session?.strictness == .strict)
        var two = House(home(), at: Self.evening)
        let gone = try two.change { try $0.press(.bedtime, on: kid, by: "ada", unique: UUID(), at: $1) }.press
        try two.change { try $0.removePerson(kid, at: $1) }
        #expect(throws: Refusal.unknownPerson) { try two.takeBack(gone) }
    }
}

@Suite struct TonightLooseningTests {
    private static func house(_ delay: Int, at now: String) -> House {
        var household = home(schedule("22:00", "07:00"))
        household.people[0].looseningDelay = delay
        household.people[0].limits.list = [UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)]
        return House(household, at: now)
    }

    @Test(
        "A night can be changed only as long before its bedtime as loosening waits",
        arguments: [
            (0, "2026-11-20T21:59:59Z", true), (8, "2026-11-20T14:00:00Z", true),
            (8, "2026-11-20T14:00:01Z", false),
            (24, "2026-11-20T07:30:00Z", false),
        ], [OneTap.later, .skip])
    func waits(_ row: (delay: Int, now: String, isAllowed: Bool), _ tap: OneTap) throws {
        var house = Self.house(row.delay, at: row.now)
        if row.isAllowed {
            try house.press(tap)
        } else {
            #expect(throws: Refusal.looseningWaits(of: "Me", hours: row.delay)) { try house.press(tap) }
            #expect(throws: Refusal.looseningWaits(of: "Me", hours: row.delay)) {
                try house.tonight(tap == .later ? .later : .skip)
            }
            #expect(house.household[person: me]?.tonight == nil)
        }
    }

    @Test("Tightening acts at once: bedtime now, later instead of skipped, back to the plan")
    func tighteningDoesNot() throws {
        var house = Self.house(8, at: "2026-11-20T13:00:00Z")
        try house.press(.skip)
        house.go(to: "2026-11-20T20:00:00Z")
        try house.press(.later)
        #expect(throws: Refusal.looseningWaits(of: "Me", hours: 8)) { try house.press(.later) }
        try house.tonight(.clear)
        try house.press(.bedtime)
        #expect(house.session != nil)
    }

    @Test("A bedtime that was moved counts where it is now")
    func fromTheMovedBedtime() throws {
        var house = Self.house(8, at: "2026-11-20T13:00:00Z")
        try house.press(.later)
        house.go(to: "2026-11-20T14:30:00Z")
        try house.press(.later)
        #expect(house.verdict.nextStart == at("2026-11-20T23:00:00Z"))
    }

    @Test("A person with nothing to loosen can skip a night at once")
    func nothingToLoosen() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T21:00:00Z")
        try house.change { household, _ in household.people[0].looseningDelay = 24 }
        let start = house.verdict.nextStart
        try house.press(.skip)
        #expect(house.verdict.nextStart != start, "tonight's start is skipped")
    }
}
