import Foundation
import Testing

@testable import Policy

@Suite struct NightsTests {
    private func nights(
        _ schedule: RecurringSchedule, _ name: String = "UTC", tonight: TonightChange? = nil,
        done: CivilDate? = nil
    ) -> Nights {
        Nights(schedule, in: zone(name), tonight: tonight, done: done)
    }

    @Test("SI-059: an end before the start is the next morning")
    func overnight() throws {
        let night = try #require(nights(schedule("22:00", "07:00")).night(on: day("2026-11-20")))
        #expect(night.start == at("2026-11-20T22:00:00Z") && night.end == at("2026-11-21T07:00:00Z"))
        let nap = try #require(nights(schedule("13:00", "14:30")).night(on: day("2026-11-20")))
        #expect(nap.start == at("2026-11-20T13:00:00Z") && nap.end == at("2026-11-20T14:30:00Z"))
    }

    @Test("SI-067: a night begins at its first instant and is over at its end")
    func boundaries() {
        let plan = nights(schedule("22:00", "07:00"))
        let start = at("2026-11-20T22:00:00Z")
        let end = at("2026-11-21T07:00:00Z")
        #expect(plan.night(containing: start.addingTimeInterval(-0.001)) == nil)
        #expect(plan.night(containing: start)?.date == day("2026-11-20"))
        #expect(plan.night(containing: end.addingTimeInterval(-0.001))?.date == day("2026-11-20"))
        #expect(plan.night(containing: end) == nil)
        #expect(plan.nextNight(after: start.addingTimeInterval(-1))?.start == start)
        #expect(plan.nextNight(after: start)?.date == day("2026-11-21"))
    }

    @Test("A night belongs to the weekday of its bedtime")
    func weekdayOfBedtime() {
        let friday = nights(schedule("22:00", "07:00", days: [.fri]))
        #expect(friday.night(containing: at("2026-11-21T06:59:59Z"))?.date == day("2026-11-20"))
        #expect(friday.night(containing: at("2026-11-21T22:00:00Z")) == nil)
        let early = nights(schedule("00:30", "08:00", days: [.sat]))
        #expect(early.night(containing: at("2026-11-21T00:30:00Z"))?.date == day("2026-11-21"))
        #expect(early.night(containing: at("2026-11-20T00:30:00Z")) == nil)
        #expect(early.nextNight(after: at("2026-11-21T09:00:00Z"))?.date == day("2026-11-28"))
    }

    @Test func aScheduleThatIsOffHasNoNights() {
        let plan = nights(schedule("22:00", "07:00", isEnabled: false))
        #expect(plan.upcoming(from: at("2026-11-20T23:00:00Z"), count: 3).isEmpty)
    }

    @Test func exceptionsChangeTimesOfWeekdaysThatAreOnAndNoOthers() {
        let late = ScheduleException(days: [.fri, .sat], start: time("23:30"), end: time("09:00"))
        let plan = nights(schedule("22:00", "07:00", days: [.thu, .fri], exceptions: [late]))
        let found = plan.upcoming(from: at("2026-11-19T12:00:00Z"), count: 3)
        #expect(
            found.map(\.start)
                == ["2026-11-19T22:00:00Z", "2026-11-20T23:30:00Z", "2026-11-26T22:00:00Z"].map(at))
        #expect(
            found.map(\.end)
                == ["2026-11-20T07:00:00Z", "2026-11-21T09:00:00Z", "2026-11-27T07:00:00Z"].map(at))
        #expect(plan.schedule.times(on: .sat).start == time("22:00"), "Saturday is not on")
        #expect(found[1].bedtime == time("23:30") && found[1].wake == time("09:00"))
    }

    @Test(
        "A-14: nights across a clock change last as long as the clock says",
        arguments: [
            ("Europe/Berlin", "2026-03-28", "2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
            ("Europe/Berlin", "2026-10-24", "2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
            ("America/New_York", "2026-03-07", "2026-03-08T03:00:00Z", "2026-03-08T11:00:00Z"),
            ("America/New_York", "2026-10-31", "2026-11-01T02:00:00Z", "2026-11-01T12:00:00Z"),
            ("Australia/Lord_Howe", "2026-10-03", "2026-10-03T11:30:00Z", "2026-10-03T20:00:00Z"),
            ("Africa/Casablanca", "2026-02-14", "2026-02-14T21:00:00Z", "2026-02-15T07:00:00Z"),
            // The 30th does not exist: its night is the early hours of the 31st, right after the 29th's night.
            ("Pacific/Apia", "2011-12-29", "2011-12-30T08:00:00Z", "2011-12-30T10:00:00Z"),
            ("Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00Z", "2011-12-30T17:00:00Z"),
        ])
    func clockChanges(_ name: String, _ date: String, _ start: String, _ end: String) throws {
        let night = try #require(nights(schedule("22:00", "07:00"), name).night(on: day(date)))
        #expect(night.start == at(start) && night.end == at(end))
    }

    @Test(
        "A-14: a night that a gap swallows whole does not exist",
        arguments: [
            ("Europe/Berlin", "2026-03-29", "02:00", "03:00"),
            ("Europe/Berlin", "2026-03-29", "02:15", "02:45"),
            ("America/New_York", "2026-03-08", "02:00", "02:30"),
            ("Australia/Lord_Howe", "2026-10-04", "02:00", "02:30"),
            ("Pacific/Apia", "2011-12-30", "08:00", "20:00"),
        ])
    func swallowed(_ name: String, _ date: String, _ start: String, _ end: String) {
        let plan = nights(schedule(start, end), name)
        #expect(plan.night(on: day(date)) == nil)
        #expect(plan.night(on: day(date).adding(days: -1)) != nil)
        #expect(plan.night(on: day(date).adding(days: 1)) != nil)
        let before = zone(name).dayStart(day(date)).addingTimeInterval(-60)
        #expect(plan.nextNight(after: before)?.date == day(date).adding(days: 1))
    }

    @Test func theLatestNightBeforeASwallowedOneIsTheOneBeforeThat() {
        let plan = nights(schedule("08:00", "20:00"), "Pacific/Apia")
        // 02:00 on the 31st; the 30th was skipped.
        #expect(plan.latestDate(startingBefore: at("2011-12-30T12:00:00Z")) == day("2011-12-29"))
        #expect(plan.latestDate(startingBefore: at("2011-12-30T18:00:00Z")) == day("2011-12-29"))
        #expect(plan.latestDate(startingBefore: at("2011-12-30T18:00:01Z")) == day("2011-12-31"))
    }

    @Test func aNightCutByAGapKeepsTheRest() throws {
        let night = try #require(
            nights(schedule("02:30", "03:30"), "Europe/Berlin").night(on: day("2026-03-29")))
        #expect(night.start == at("2026-03-29T01:00:00Z") && night.end == at("2026-03-29T01:30:00Z"))
    }

    @Test func tonightIsSkippedOrBeginsLater() throws {
        let plan = schedule("22:00", "07:00")
        let skip = nights(plan, tonight: TonightChange(night: day("2026-11-20"), kind: .skip))
        #expect(skip.night(containing: at("2026-11-20T23:00:00Z")) == nil)
        #expect(skip.nextNight(after: at("2026-11-20T12:00:00Z"))?.date == day("2026-11-21"))
        #expect(skip.planned(on: day("2026-11-20")) != nil)
        let later = nights(plan, tonight: TonightChange(night: day("2026-11-20"), kind: .later, minutes: 150))
        let night = try #require(later.nextNight(after: at("2026-11-20T23:00:00Z")))
        #expect(night.start == at("2026-11-21T00:30:00Z") && night.end == at("2026-11-21T07:00:00Z"))
        #expect(night.date == day("2026-11-20") && night.bedtime == time("22:00"))
        #expect(later.night(on: day("2026-11-21"))?.start == at("2026-11-21T22:00:00Z"))
    }

    @Test func aDelayThatDoesNotFitAnyMoreDelaysNothing() {
        let late = TonightChange(night: day("2026-11-20"), kind: .later, minutes: 540)
        let plan = nights(schedule("22:00", "07:00"), tonight: late)
        #expect(plan.night(on: day("2026-11-20"))?.start == at("2026-11-20T22:00:00Z"))
    }

    @Test("A-14: if midnight comes twice, a night that began at the first one goes on")
    func midnightTwice() {
        let plan = nights(schedule("00:00", "07:00"), "America/St_Johns")
        // At 00:01 on the 7th the clocks went back to 23:01 on the 6th.
        let start = at("2010-11-07T02:30:00Z")
        #expect(plan.night(on: day("2010-11-07"))?.start == start)
        for seconds in stride(from: 0.0, to: 3_900, by: 30) {
            let now = start.addingTimeInterval(seconds)
            #expect(plan.night(containing: now)?.date == day("2010-11-07"), "\(now)")
        }
        #expect(zone("America/St_Johns").date(of: start.addingTimeInterval(600)) == day("2010-11-06"))
    }

    @Test("C-12: a night that is done does not come back; later ones do")
    func done() {
        let plan = nights(schedule("22:00", "07:00"), done: day("2026-11-20"))
        #expect(plan.night(containing: at("2026-11-20T23:00:00Z")) == nil)
        #expect(plan.nextNight(after: at("2026-11-20T12:00:00Z"))?.date == day("2026-11-21"))
        // Also for a clock that went back a day, but not for one that was years ahead.
        #expect(plan.night(containing: at("2026-11-19T23:00:00Z")) == nil)
        #expect(plan.night(containing: at("2026-11-18T23:00:00Z")) != nil)
    }

    @Test func upcomingBeginsWithTheNightThatRuns() {
        let plan = nights(schedule("22:00", "07:00", days: [.fri, .sat]))
        let found = plan.upcoming(from: at("2026-11-21T03:00:00Z"), count: 4).map(\.date)
        #expect(found == ["2026-11-20", "2026-11-21", "2026-11-27", "2026-11-28"].map(day))
        #expect(plan.upcoming(from: at("2026-11-21T03:00:00Z"), count: 0).isEmpty)
        let exactly = nights(schedule("22:00", "07:00")).upcoming(from: at("2026-11-21T22:00:00Z"), count: 2)
        #expect(exactly.map(\.date) == ["2026-11-21", "2026-11-22"].map(day))
    }

    @Test func oneNightAWeekIsFoundAlsoAfterAGapAndASkip() {
        let plan = nights(
            schedule("02:10", "02:50", days: [.sun]), "Europe/Berlin",
            tonight: TonightChange(night: day("2026-03-22"), kind: .skip))
        #expect(plan.nextNight(after: at("2026-03-15T12:00:00Z"))?.date == day("2026-04-05"))
    }

    @Test func nightsOfACheckedScheduleNeverOverlapAndAreWhatTheWallSays() throws {
        var random = Generator(seed: 3)
        for _ in 0..<400 {
            let house = random.pick(Generator.zones)
            let plan = nights(random.schedule(), house)
            let found = plan.upcoming(from: random.instant(), count: 12)
            for (night, next) in zip(found, found.dropFirst()) {
                #expect(night.start < night.end && night.end <= next.start, "\(house) \(plan.schedule)")
                #expect(night.date < next.date)
            }
            for night in found {
                #expect(plan.schedule.days.contains(night.date.weekday))
                #expect(plan.night(containing: night.start) == night)
                #expect(plan.night(containing: night.end) != night)
                let times = plan.schedule.times(on: night.date.weekday)
                #expect(night.start == zone(house).instant(of: night.date, at: times.start))
            }
        }
    }
}
