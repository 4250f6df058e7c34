import Foundation
import Testing

@testable import Policy

@Suite struct ScheduleCommandTests {
    private func exception(_ start: String, _ end: String, _ days: Set<Weekday>) -> ScheduleException {
        ScheduleException(days: days, start: time(start), end: time(end))
    }

    @Test("A-05: bedtime and wake-up differ, there is a weekday, and nights do not overlap")
    func checks() {
        let all = Set(Weekday.allCases)
        let cases: [(RecurringSchedule, Refusal?)] = [
            (schedule("22:00", "07:00"), nil),
            (schedule("22:00", "22:00"), .sameTimes),
            (schedule("22:00", "22:00", isEnabled: false), .sameTimes),
            (schedule("22:00", "07:00", days: []), .noWeekdays),
            (schedule("07:00", "06:59"), nil),
            (schedule("22:00", "07:00", exceptions: [exception("23:00", "23:00", [.fri])]), .sameTimes),
            (
                schedule("22:00", "07:00", exceptions: [exception("23:00", "09:00", [])]),
                .exceptionWithoutWeekdays
            ),
            (
                schedule(
                    "22:00", "07:00", exceptions: Array(repeating: exception("23:00", "09:00", all), count: 8)
                ),
                .tooManyExceptions
            ),
            (
                schedule("22:00", "07:00", exceptions: [exception("06:30", "05:00", [.tue])]),
                .nightsOverlap(.mon)
            ),
            (schedule("22:00", "07:00", exceptions: [exception("07:00", "20:00", [.tue])]), nil),
            (
                schedule("22:00", "07:00", exceptions: [exception("23:00", "22:30", [.sun])]),
                .nightsOverlap(.sun)
            ),
            (
                schedule("22:00", "07:00", days: [.sun], exceptions: [exception("23:00", "22:30", [.sun])]),
                nil
            ),
        ]
        for (schedule, expected) in cases {
            var household = home()
            let before = household
            do throws(Refusal) {
                try household.saveSchedule(me, schedule, at: at("2026-11-20T12:00:00Z"))
                #expect(expected == nil, "\(schedule)")
            } catch {
                #expect(error == expected, "\(schedule)")
                #expect(household == before)
            }
        }
    }

    @Test("A-06: enabling within the window starts a session at once, which does not begin before that")
    func enablingInside() throws {
        var house = House(home(), at: "2026-11-20T23:10:00Z")
        try house.save(schedule("22:00", "07:00", .strict))
        let session = try #require(house.session)
        #expect(session.startedAt == at("2026-11-20T23:10:00Z") && session.strictness == .strict)
        #expect(session.endsAt == at("2026-11-21T07:00:00Z") && session.durationFormatted == "7h 50m")
        #expect(session.night == day("2026-11-20") && house.log == ["started 2026-11-20T23:10:00Z"])
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.startedAt == at("2026-11-21T22:00:00Z"), "from then on at bedtime")
    }

    @Test("A-06: a schedule that begins tomorrow leaves the night of today alone, however late it becomes")
    func enablingFromTomorrow() throws {
        var house = House(home(), at: "2026-11-20T23:10:00Z")
        let nightly = schedule("22:00", "07:00", .strict)
        let night = try #require(house.household.nightBegun(bySaving: nightly, for: me, at: house.now))
        #expect(night.start == at("2026-11-20T22:00:00Z") && night.end == at("2026-11-21T07:00:00Z"))
        try house.change { try $0.saveSchedule(me, nightly, beginning: .tomorrow, at: $1) }
        #expect(house.session == nil)
        house.go(to: "2026-11-21T06:59:00Z")
        #expect(house.session == nil)
        #expect(
            house.household.nightBegun(bySaving: nightly, for: me, at: house.now) == nil, "it was answered")
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.night == day("2026-11-21"))
    }

    @Test("A-06: nothing begins by saving outside the hours, while a session runs, or what cannot be saved")
    func beginsNothing() throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        let nightly = schedule("22:00", "07:00")
        #expect(house.household.nightBegun(bySaving: nightly, for: me, at: house.now) == nil)
        try house.change { try $0.saveSchedule(me, nightly, beginning: .tomorrow, at: $1) }
        house.go(to: "2026-11-20T22:30:00Z")
        #expect(house.session != nil, "outside the hours, tomorrow means nothing")
        #expect(
            house.household.nightBegun(bySaving: schedule("22:15", "08:00"), for: me, at: house.now) == nil)
        #expect(
            house.household.nightBegun(bySaving: schedule("22:00", "22:00"), for: me, at: house.now) == nil)
    }

    @Test("A-06: switching off or moving never ends a running session; it stops the next night")
    func disablingInside() throws {
        var house = House(home(schedule("22:00", "07:00", .strict)), at: "2026-11-20T23:00:00Z")
        let session = house.session
        try house.save(schedule("22:00", "07:00", .flexible, isEnabled: false))
        #expect(house.session == session)
        #expect(throws: Refusal.strictSession) { try house.change { try $0.beginCancel(me, at: $1) } }
        house.go(to: "2026-11-21T06:59:59Z")
        #expect(house.session == session)
        house.go(to: "2026-11-21T07:00:00Z")
        #expect(house.session == nil)
        house.go(to: "2026-11-21T23:00:00Z")
        #expect(house.session == nil)
    }

    @Test("A-06: a moved night is the same night, whatever ended it")
    func movedNight() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T22:30:00Z")
        try house.save(schedule("23:00", "08:00"))
        var cancelled = house
        var left = house
        try left.reset()
        left.go(to: "2026-11-20T23:00:00Z")
        #expect(left.session == nil, "C-12: not at the moved bedtime")
        house.go(to: "2026-11-21T07:00:00Z")
        #expect(house.session == nil, "no second part from 07:00 to 08:00")
        house.go(to: "2026-11-21T23:00:00Z")
        #expect(house.session?.night == day("2026-11-21"))
        try cancelled.change { try $0.beginCancel(me, at: $1) }
        cancelled.wait(30)
        cancelled.go(to: "2026-11-20T23:00:00Z")
        #expect(cancelled.session == nil, "C-12: not at the moved bedtime either")
        cancelled.go(to: "2026-11-21T23:00:00Z")
        #expect(cancelled.session != nil)
    }

    @Test("C-12: a cancelled night that is moved over midnight does not come back under the next date")
    func movedOverMidnight() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T22:30:00Z")
        try house.save(schedule("00:30", "08:00"))
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(30)
        house.go(to: "2026-11-21T00:30:00Z")
        #expect(house.session == nil)
        house.go(to: "2026-11-22T00:30:00Z")
        #expect(house.session?.night == day("2026-11-22"))
    }

    @Test("A nap this afternoon, finished or moved while it ran, does not affect tonight")
    func napThenNight() throws {
        var house = House(home(schedule("13:00", "14:00")), at: "2026-11-20T13:30:00Z")
        var moved = house
        house.go(to: "2026-11-20T15:00:00Z")
        try house.save(schedule("22:00", "07:00"))
        house.go(to: "2026-11-20T22:00:00Z")
        #expect(house.session?.night == day("2026-11-20"))
        try moved.save(schedule("22:00", "07:00"))
        moved.go(to: "2026-11-20T14:00:00Z")
        #expect(moved.session == nil)
        moved.go(to: "2026-11-20T22:00:00Z")
        #expect(moved.session?.night == day("2026-11-20"))
    }

    @Test("C-12: a night that was left stays left when the schedule is saved again, off or on")
    func savedAgain() throws {
        let nightly = schedule("22:00", "07:00")
        var house = House(home(nightly), at: "2026-11-20T22:30:00Z")
        try house.reset()
        for next in [
            nightly, schedule("22:00", "07:00", isEnabled: false), nightly, schedule("22:15", "08:00"),
        ] {
            house.wait(60)
            try house.save(next)
            #expect(house.session == nil)
        }
        house.go(to: "2026-11-21T22:15:00Z")
        #expect(house.session != nil)
    }

    @Test("SI-050: emergency reset does not touch the schedule")
    func resetKeepsTheSchedule() throws {
        let nightly = schedule("22:00", "07:00", .strict)
        var house = House(home(nightly), at: "2026-11-20T22:30:00Z")
        try house.reset()
        #expect(house.household[person: me]?.schedule == nightly)
        #expect(house.verdict.nextStart == at("2026-11-21T22:00:00Z"))
    }
}
