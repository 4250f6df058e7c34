import Foundation
import Testing

@testable import Policy

@Suite struct SettleTests {
    private let nightly = schedule("22:00", "07:00", .strict)

    @Test("C-10: bedtime opens a session of the schedule, with what is allowed then")
    func opensTheNight() throws {
        var house = House(home(nightly), at: "2026-11-20T21:59:59Z")
        house.go(to: "2026-11-20T22:00:00Z")
        let session = try #require(house.session)
        #expect(
            session.startedAt == at("2026-11-20T22:00:00Z") && session.endsAt == at("2026-11-21T07:00:00Z"))
        #expect(session.strictness == .strict && session.night == day("2026-11-20"))
        #expect(session.allowed == AppSelection(categories: ["phone"]))
        #expect(house.log == ["started 2026-11-20T22:00:00Z"])
    }

    @Test("C-10: a night noticed late is still the night from its bedtime")
    func startsLate() {
        let house = House(home(nightly), at: "2026-11-21T03:12:00Z")
        #expect(house.session?.startedAt == at("2026-11-20T22:00:00Z"))
        #expect(house.session?.durationFormatted == "9h")
    }

    @Test("SI-067, C-12: the night ends at its instant and is done")
    func endsTheNight() {
        var house = House(home(nightly), at: "2026-11-20T22:00:00Z")
        house.go(to: "2026-11-21T07:00:00Z")
        #expect(house.session == nil && house.household[person: me]?.nightDone == day("2026-11-20"))
        #expect(house.log.last == "elapsed 2026-11-21T07:00:00Z")
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.night == day("2026-11-21"))
    }

    @Test("SI-094, SI-004: a session that fell due unnoticed ended at its own instant")
    func fellDueInDowntime() throws {
        var house = House(home(), at: "2026-11-20T15:00:00Z")
        try house.start(60, .strict)
        house.go(to: "2026-11-20T18:00:00Z")
        #expect(house.session == nil && house.log == ["elapsed 2026-11-20T16:00:00Z"])
    }

    @Test("C-11: a manual session that ended in the downtime makes room for the night")
    func manualThenNight() throws {
        var house = House(home(nightly), at: "2026-11-20T15:00:00Z")
        try house.start(480)
        house.go(to: "2026-11-20T23:30:00Z")
        #expect(house.session?.night == day("2026-11-20"))
        #expect(house.log == ["elapsed 2026-11-20T23:00:00Z", "started 2026-11-20T22:00:00Z"])
    }

    @Test("C-11: at bedtime a manual session goes on, then the night takes the rest without a gap")
    func nightDuringManual() throws {
        var house = House(home(nightly), at: "2026-11-20T21:00:00Z")
        try house.start(120)
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session?.mode == .manual(durationMinutes: 120))
        house.go(to: "2026-11-20T23:00:00Z")
        #expect(house.session?.night == day("2026-11-20") && house.verdict.blocks.count == 1)
    }

    @Test(
        "C-11: a session by hand that ends in a night tells the night's end, on the shield and in the verdict"
    )
    func manualTellsTheNightsEnd() throws {
        var house = House(home(nightly), at: "2026-11-20T21:00:00Z")
        try house.start(120)
        let told = house.verdict.blocks.first?.until
        house.go(to: "2026-11-20T23:00:00Z")
        #expect(told != nil && told == house.session?.endsAt)
    }

    @Test("C-11: a session by hand that ends before the night tells its own end")
    func manualBeforeTheNight() throws {
        var house = House(home(nightly), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        #expect(house.verdict.blocks.first?.until == house.session?.endsAt)
    }

    @Test("C-11: wake time does not end a manual session")
    func manualOverWakeTime() throws {
        var house = House(home(nightly), at: "2026-11-20T21:00:00Z")
        try house.start(480)
        house.go(to: "2026-11-21T04:59:59Z")
        #expect(house.session?.night == nil)
        house.go(to: "2026-11-21T05:00:00Z")
        #expect(house.session?.night == day("2026-11-20"))
        house.go(to: "2026-11-21T07:00:00Z")
        try house.start(30)
        #expect(house.session != nil)
    }

    @Test("A-07: a cancel completes by itself; a session's end before that is a normal end")
    func cancelInDowntime() throws {
        var house = House(home(), at: "2026-11-20T15:00:00Z")
        try house.start(30)
        try house.change { try $0.beginCancel(me, at: $1) }
        var other = house
        house.go(to: "2026-11-20T20:00:00Z")
        #expect(house.log == ["cancelled 2026-11-20T15:00:30Z"])
        try other.change { try $0.keepSleeping(me, at: $1) }
        other.go(to: "2026-11-20T15:29:45Z")
        try other.change { try $0.beginCancel(me, at: $1) }
        other.go(to: "2026-11-20T15:30:15Z")
        #expect(other.log == ["elapsed 2026-11-20T15:30:00Z"])
    }

    @Test("C-12: a cancelled night does not come back before the next bedtime")
    func cancelledNight() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T22:00:00Z")
        house.wait(600)
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(30)
        #expect(house.session == nil && house.log.last == "cancelled 2026-11-20T22:10:30Z")
        for minutes in stride(from: 0.0, through: 540, by: 7) {
            house.go(to: at("2026-11-20T22:11:00Z").addingTimeInterval(minutes * 60))
            #expect(house.session == nil)
        }
        #expect(house.verdict.nextStart == at("2026-11-21T22:00:00Z"))
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session != nil)
    }

    @Test("Cancelling a manual session does not end the night behind it")
    func cancelledManualInTheNight() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T21:50:00Z")
        try house.start(60)
        house.go(to: "2026-11-20T22:20:00Z")
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(30)
        #expect(house.session?.night == day("2026-11-20"))
    }

    @Test("C-12: a reset during the night marks it done, even if the session was manual")
    func resetManualInTheNight() throws {
        var house = House(home(nightly), at: "2026-11-20T21:50:00Z")
        try house.start(60, .strict)
        var early = house
        house.go(to: "2026-11-20T22:20:00Z")
        try house.reset()
        house.wait(3_600)
        #expect(house.session == nil && house.household[person: me]?.nightDone == day("2026-11-20"))
        #expect(house.household[person: me]?.schedule?.isEnabled == true, "A-21")
        // Before bedtime no night can be marked done.
        try early.reset()
        early.go(to: "2026-11-20T22:00:00Z")
        #expect(early.session?.night == day("2026-11-20"))
    }

    @Test("A night that begins where the one before ends is a separate night")
    func backToBack() {
        let day2 = ScheduleException(days: [.sat], start: time("07:00"), end: time("20:00"))
        var house = House(home(schedule("22:00", "07:00", exceptions: [day2])), at: "2026-11-20T22:00:00Z")
        house.go(to: "2026-11-21T07:00:00Z")
        #expect(house.session?.night == day("2026-11-21"))
        #expect(house.log.suffix(2) == ["elapsed 2026-11-21T07:00:00Z", "started 2026-11-21T07:00:00Z"])
    }

    @Test("C-12: a reset at the very bedtime counts for that night")
    func resetAtBedtime() throws {
        var house = House(home(nightly), at: "2026-11-20T22:00:00Z")
        try house.reset()
        #expect(house.session == nil)
        house.wait(1)
        #expect(house.session == nil)
    }

    @Test func aChangeForTonightGoesWithItsNight() throws {
        var house = House(home(nightly), at: "2026-11-20T20:00:00Z")
        try house.tonight(.skip)
        house.go(to: "2026-11-21T06:59:59Z")
        #expect(house.session == nil && house.household[person: me]?.tonight != nil)
        house.go(to: "2026-11-21T07:00:00Z")
        #expect(house.household[person: me]?.tonight == nil)
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.night == day("2026-11-21"))
    }

    @Test func helpEndsAtItsInstantAndIsNeverLongerThanItIs() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.change { try $0.useHelp(phone, at: $1) }
        house.go(to: "2026-11-20T20:14:59Z")
        #expect(house.household[device: phone]?.helpUntil == at("2026-11-20T20:15:00Z"))
        house.go(to: "2026-11-20T19:00:00Z")
        #expect(house.household[device: phone]?.helpUntil == at("2026-11-20T19:15:00Z"))
        house.go(to: "2026-11-20T19:15:00Z")
        #expect(house.household[device: phone]?.helpUntil == nil)
    }

    @Test("SI-082: a session that is not active blocks nothing and is removed")
    func inactive() {
        var household = home()
        household.people[0].session = SleepSession(
            id: UUID(), mode: .manual(durationMinutes: 60), strictness: .strict,
            startedAt: at("2026-11-20T20:00:00Z"),
            endsAt: at("2026-11-20T21:00:00Z"), isActive: false, allowed: AppSelection())
        let house = House(household, at: "2026-11-20T20:30:00Z")
        #expect(house.session == nil && house.events.isEmpty && house.verdict.blocks.isEmpty)
    }

    @Test func aZoneThatIsNoneAnyMoreCountsAsUTC() {
        var household = home(nightly)
        household.timeZone = "Nope/Zone"
        #expect(House(household, at: "2026-11-20T22:00:00Z").session != nil)
    }
}

/// Clocks that are set while the server runs.
@Suite struct ClockStepTests {
    private let nightly = schedule("22:00", "07:00", .strict)

    @Test func aSmallStepBackChangesNothing() {
        var house = House(home(nightly), at: "2026-11-20T22:00:00Z")
        let session = house.session
        house.go(to: "2026-11-20T21:59:58Z")
        #expect(house.session == session && house.events.count == 1)
    }

    @Test func aNightThatAClockAheadMadeUpWaitsForItsTrueBedtime() {
        var house = House(home(nightly), at: "2029-11-20T23:00:00Z")
        #expect(house.session != nil)
        house.go(to: "2026-11-20T20:00:00Z")
        #expect(house.session == nil)
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session?.night == day("2026-11-20"))
    }

    @Test func aNightThatAClockAMomentAheadMadeUpWaitsToo() {
        var house = House(home(nightly), at: "2026-11-20T22:30:00Z")
        house.go(to: "2026-11-20T20:00:00Z")
        #expect(house.session == nil && house.household[person: me]?.nightDone == nil)
        #expect(house.log.last == "elapsed 2026-11-20T20:00:00Z")
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session?.night == day("2026-11-20"))
    }

    @Test func aNightDoneInAFutureThatNeverWasCostsNoNights() {
        var house = House(home(nightly), at: "2029-11-20T23:00:00Z")
        house.go(to: "2029-11-21T07:00:00Z")
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session?.night == day("2026-11-20"))
    }

    @Test func aManualSessionKeepsItsEndUnlessItWouldLastForDays() throws {
        var house = House(home(), at: "2026-11-20T22:00:00Z")
        try house.start(60, .strict)
        house.go(to: "2026-11-20T20:00:00Z")
        #expect(house.session?.endsAt == at("2026-11-20T23:00:00Z"))
        house.go(to: "2026-11-17T20:00:00Z")
        #expect(house.session == nil)
    }

    @Test func aNightThatWasLeftDoesNotComeBackWithTheClock() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T22:30:00Z")
        try house.reset()
        for instant in [
            "2026-11-20T22:00:00Z", "2026-11-21T06:00:00Z", "2026-11-19T23:00:00Z", "2026-11-20T23:00:00Z",
        ] {
            house.go(to: instant)
            #expect(house.session == nil, "\(instant)")
        }
    }
}
