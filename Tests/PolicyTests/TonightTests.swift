import Foundation
import Testing

@testable import Policy

@Suite struct TonightTests {
    private let nightly = schedule("22:00", "07:00")

    @Test func skipsOneNightOnly() throws {
        var house = House(home(nightly), at: "2026-11-20T12:00:00Z")
        try house.tonight(.skip)
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session == nil)
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session != nil)
    }

    @Test func eachPressIsHalfAnHourUntilItBegins() throws {
        var house = House(home(nightly), at: "2026-11-20T12:00:00Z")
        try house.tonight(.later)
        try house.tonight(.later)
        #expect(house.household[person: me]?.tonight?.minutes == 60)
        house.go(to: "2026-11-20T22:45:00Z")
        #expect(house.session == nil)
        try house.tonight(.later)
        house.go(to: "2026-11-20T23:30:00Z")
        #expect(house.session?.startedAt == at("2026-11-20T23:30:00Z"))
        #expect(house.session?.endsAt == at("2026-11-21T07:00:00Z"))
        #expect(throws: Refusal.nightBegun) { try house.tonight(.later) }
        #expect(throws: Refusal.nightBegun) { try house.tonight(.clear) }
    }

    @Test func notToOrPastItsEnd() throws {
        var house = House(home(schedule("06:00", "07:00")), at: "2026-11-20T12:00:00Z")
        try house.tonight(.later)
        #expect(throws: Refusal.nightTooShort) { try house.tonight(.later) }
        #expect(house.household[person: me]?.tonight?.minutes == 30)
    }

    @Test func laterAfterSkipCountsFromItsBedtime() throws {
        var house = House(home(nightly), at: "2026-11-20T12:00:00Z")
        try house.tonight(.skip)
        try house.tonight(.later)
        #expect(house.verdict.nextStart == at("2026-11-20T22:30:00Z"))
        try house.tonight(.clear)
        #expect(house.household[person: me]?.tonight == nil)
    }

    @Test(
        "Another bedtime today, by its time",
        arguments: [
            ("23:15", "2026-11-20T23:15:00Z", 75), ("20:30", "2026-11-20T20:30:00Z", -90),
            ("00:45", "2026-11-21T00:45:00Z", 165), ("06:59", "2026-11-21T06:59:00Z", 539),
        ]) func anotherBedtime(text: String, start: String, minutes: Int) throws
    {
        var house = House(home(nightly), at: "2026-11-20T12:00:00Z")
        try house.change { try $0.moveTonight(me, to: time(text), at: $1) }
        #expect(house.household[person: me]?.tonight?.minutes == minutes)
        #expect(house.verdict.nextStart == at(start))
        house.go(to: at(start) - 1)
        #expect(house.session == nil)
        house.go(to: at(start))
        #expect(house.session?.startedAt == at(start))
        #expect(house.session?.endsAt == at("2026-11-21T07:00:00Z"))
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.night == day("2026-11-21"), "the next night is as planned")
    }

    @Test("Another bedtime is neither over nor behind the night, and the planned one is no change")
    func anotherBedtimeRefused() throws {
        var house = House(home(nightly), at: "2026-11-20T21:00:00Z")
        #expect(throws: Refusal.bedtimeOver) {
            try house.change { try $0.moveTonight(me, to: time("20:59"), at: $1) }
        }
        #expect(throws: Refusal.nightTooShort) {
            try house.change { try $0.moveTonight(me, to: time("07:00"), at: $1) }
        }
        try house.change { try $0.moveTonight(me, to: time("21:30"), at: $1) }
        try house.tonight(.later)
        #expect(house.household[person: me]?.tonight == nil, "half an hour later is the planned bedtime")
        try house.change { try $0.moveTonight(me, to: time("22:00"), at: $1) }
        #expect(house.household[person: me]?.tonight == nil)
    }

    @Test("With a wait, a later bedtime is refused near it, and an earlier one is not")
    func anotherBedtimeWaits() throws {
        var house = House(home(nightly), at: "2026-11-20T20:00:00Z")
        house.household.people[0].limits.list = [
            UsageLimit(id: UUID(), target: .app("tiktok"), minutes: 30)
        ]
        house.household.people[0].looseningDelay = 8
        #expect(throws: Refusal.looseningWaits(of: "Me", hours: 8)) {
            try house.change { try $0.moveTonight(me, to: time("22:01"), at: $1) }
        }
        try house.change { try $0.moveTonight(me, to: time("21:00"), at: $1) }
        #expect(house.verdict.nextStart == at("2026-11-20T21:00:00Z"))
    }

    @Test(arguments: TonightChange.Press.allCases)
    func refusedOnceItHasBegun(_ press: TonightChange.Press) throws {
        var house = House(home(nightly), at: "2026-11-20T22:00:00Z")
        #expect(throws: Refusal.nightBegun) { try house.tonight(press) }
        // Also while it is skipped.
        var skipped = House(home(nightly), at: "2026-11-20T12:00:00Z")
        try skipped.tonight(.skip)
        skipped.go(to: "2026-11-20T22:00:00Z")
        #expect(throws: Refusal.nightBegun) { try skipped.tonight(press) }
        skipped.go(to: "2026-11-21T07:00:00Z")
        try skipped.tonight(press)
    }

    @Test("A night that was left makes room for the next", arguments: [0, 1], [false, true])
    func actsOnTheNextAfterOneThatIsDone(_ presses: Int, _ isCancelled: Bool) throws {
        var house = House(home(nightly), at: "2026-11-20T12:00:00Z")
        for _ in 0..<presses { try house.tonight(.later) }
        house.go(to: "2026-11-21T01:00:00Z")
        if isCancelled {
            try house.change { try $0.beginCancel(me, at: $1) }
            #expect(throws: Refusal.nightBegun) { try house.tonight(.skip) }
            house.wait(SleepSession.cancelDelay)
        } else {
            try house.reset()
        }
        #expect(house.session == nil && house.household[person: me]?.tonight == nil)
        #expect(house.verdict.nextStart == at("2026-11-21T22:00:00Z"))
        try house.tonight(.later)
        #expect(house.verdict.nextStart == at("2026-11-21T22:30:00Z"))
        try house.tonight(.skip)
        #expect(house.verdict.nextStart == at("2026-11-22T22:00:00Z"))
        try house.tonight(.clear)
        #expect(house.verdict.nextStart == at("2026-11-21T22:00:00Z"))
        house.go(to: "2026-11-21T06:59:59Z")
        #expect(house.session == nil, "the one that was left stays over")
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.night == day("2026-11-21"))
        #expect(throws: Refusal.nightBegun) { try house.tonight(.skip) }
    }

    @Test(arguments: TonightChange.Press.allCases)
    func refusedWithoutANight(_ press: TonightChange.Press) {
        var none = House(home(), at: "2026-11-20T12:00:00Z")
        #expect(throws: Refusal.noNightPlanned) { try none.tonight(press) }
        var off = House(home(schedule("22:00", "07:00", isEnabled: false)), at: "2026-11-20T12:00:00Z")
        #expect(throws: Refusal.noNightPlanned) { try off.tonight(press) }
    }

    @Test("A change that does not fit a new schedule or zone is dropped")
    func droppedWithTheSchedule() throws {
        var house = House(home(nightly), at: "2026-11-20T12:00:00Z")
        try house.tonight(.later)
        try house.save(schedule("23:00", "07:00"))
        #expect(house.verdict.nextStart == at("2026-11-20T23:30:00Z"), "it still fits")
        try house.save(schedule("23:00", "23:30"))
        #expect(house.household[person: me]?.tonight == nil)
        try house.tonight(.skip)
        try house.save(schedule("22:00", "07:00", days: [.sat]))
        #expect(house.household[person: me]?.tonight == nil)
    }

    @Test func droppedByTheCommandItself() throws {
        let now = at("2026-03-28T12:00:00Z")
        var household = home(schedule("00:30", "01:30"))
        try household.changeTonight(me, .later, at: now)
        var moved = household
        try household.saveSchedule(me, schedule("00:30", "01:00"), at: now)
        #expect(household[person: me]?.tonight == nil)
        // In that zone, 00:30 on the 29th is already over.
        try moved.setTimeZone("Pacific/Kiritimati", at: now)
        #expect(moved[person: me]?.tonight == nil)
    }

    @Test func aStrictManualSessionDoesNotKeepTonightFromBeingChanged() throws {
        var house = House(home(schedule("22:00", "07:00", .strict)), at: "2026-11-20T20:00:00Z")
        try house.start(60, .strict)
        try house.tonight(.skip)
        #expect(house.verdict.blocks.count == 1)
    }
}
