import Foundation
import Testing

@testable import Policy

@Suite struct OneTapTests {
    struct Bedtime: Sendable, CustomTestStringConvertible {
        let name: String
        let schedule: RecurringSchedule?
        var zone = "UTC"
        let now: String
        let end: String
        var testDescription: String { name }
    }

    @Test(
        "Bedtime now lasts to the end of tonight's schedule, else 8 hours",
        arguments: [
            Bedtime(
                name: "no schedule", schedule: nil, now: "2026-11-20T20:30:00Z", end: "2026-11-21T04:30:00Z"),
            Bedtime(
                name: "switched off", schedule: schedule("22:00", "07:00", isEnabled: false),
                now: "2026-11-20T20:30:00Z", end: "2026-11-21T04:30:00Z"),
            Bedtime(
                name: "before an overnight one", schedule: schedule("22:00", "07:00"),
                now: "2026-11-20T20:30:00Z", end: "2026-11-21T07:00:00Z"),
            Bedtime(
                name: "begins when 8 hours are over", schedule: schedule("22:00", "07:00"),
                now: "2026-11-20T14:00:00Z", end: "2026-11-20T22:00:00Z"),
            Bedtime(
                name: "begins a second before they are", schedule: schedule("22:00", "07:00"),
                now: "2026-11-20T14:00:01Z", end: "2026-11-21T07:00:00Z"),
            Bedtime(
                name: "after midnight, before a late one", schedule: schedule("01:30", "09:00"),
                now: "2026-11-21T00:15:00Z", end: "2026-11-21T09:00:00Z"),
            Bedtime(
                name: "a nap of the day", schedule: schedule("13:00", "15:00"),
                now: "2026-11-20T12:00:00Z", end: "2026-11-20T15:00:00Z"),
            Bedtime(
                name: "other times tonight",
                schedule: schedule(
                    "22:00", "07:00",
                    exceptions: [ScheduleException(days: [.fri], start: time("23:30"), end: time("09:15"))]),
                now: "2026-11-20T21:00:00Z", end: "2026-11-21T09:15:00Z"),
            Bedtime(
                name: "not tonight", schedule: schedule("22:00", "07:00", days: [.mon]),
                now: "2026-11-20T21:00:00Z", end: "2026-11-21T05:00:00Z"),
            // Berlin, 29 March 2026: 02:00 becomes 03:00, so 06:30 is 04:30 UTC.
            Bedtime(
                name: "the night the clock goes forward", schedule: schedule("22:00", "06:30"),
                zone: "Europe/Berlin", now: "2026-03-28T20:00:00Z", end: "2026-03-29T04:30:00Z"),
            Bedtime(
                name: "8 hours across it are 8 hours", schedule: nil,
                zone: "Europe/Berlin", now: "2026-03-28T20:00:00Z", end: "2026-03-29T04:00:00Z"),
            Bedtime(
                name: "a night that the gap swallows is none", schedule: schedule("02:10", "02:50"),
                zone: "Europe/Berlin", now: "2026-03-28T20:00:00Z", end: "2026-03-29T04:00:00Z"),
            // 25 October 2026: 03:00 becomes 02:00 again.
            Bedtime(
                name: "the night the clock goes back", schedule: schedule("22:00", "06:30"),
                zone: "Europe/Berlin", now: "2026-10-24T19:30:00Z", end: "2026-10-25T05:30:00Z"),
        ])
    func ends(_ row: Bedtime) throws {
        var house = House(home(row.schedule, zone: row.zone), at: row.now)
        try house.press(.bedtime)
        #expect(house.session?.endsAt == at(row.end))
        #expect(house.session?.startedAt == at(row.now) && house.session?.night == nil)
        // There is no gap, and it lasts no longer than it says.
        house.go(to: at(row.end).addingTimeInterval(-1))
        #expect(house.session != nil)
        house.go(to: row.end)
        #expect(house.session == nil || house.session?.startedAt == at(row.end))
    }

    @Test("A change for tonight does not move the morning", arguments: TonightChange.Press.allCases)
    func bedtimeAfterAChange(_ press: TonightChange.Press) throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T20:00:00Z")
        try house.tonight(press)
        house.go(to: "2026-11-20T22:10:00Z")
        if house.session != nil { try house.reset() }
        try house.press(.bedtime)
        #expect(house.session?.endsAt == at("2026-11-21T07:00:00Z"))
        house.go(to: "2026-11-21T07:00:00Z")
        #expect(house.session == nil)
    }

    @Test("In the person's default strictness, with what is allowed now", arguments: StrictnessMode.allCases)
    func asUsual(_ strictness: StrictnessMode) throws {
        var house = House(home(), at: "2026-11-20T20:00:00Z")
        try house.change { household, _ in try household.setDefaultStrictness(me, to: strictness) }
        let event = try house.press(.bedtime).event
        #expect(house.session?.strictness == strictness)
        #expect(house.session?.allowed == AppSelection(categories: ["phone"]))
        #expect(event?.kind == .started && event?.session == house.session)
        #expect(house.session?.mode == .manual(durationMinutes: 480))
    }

    @Test("Only one session at a time", arguments: [true, false])
    func refusedWhileASessionRuns(_ isManual: Bool) throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T20:00:00Z")
        if isManual { try house.start(60) } else { house.go(to: "2026-11-20T23:00:00Z") }
        let before = house.household
        #expect(throws: Refusal.sessionRunning) { try house.press(.bedtime) }
        #expect(house.household == before)
    }

    @Test("A flexible bedtime that is left makes room for the strict night")
    func isNoWayAroundTheNight() throws {
        var house = House(home(schedule("22:00", "07:00", .strict)), at: "2026-11-20T21:00:00Z")
        try house.press(.bedtime)
        house.go(to: "2026-11-20T23:00:00Z")
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(SleepSession.cancelDelay)
        #expect(house.session?.strictness == .strict && house.session?.endsAt == at("2026-11-21T07:00:00Z"))
    }

    @Test func laterThreeTimesAndNoFurther() throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T20:00:00Z")
        for minutes in [30, 60, 90] {
            try house.press(.later)
            #expect(house.household[person: me]?.tonight?.minutes == minutes)
        }
        #expect(throws: Refusal.laterUsedUp) { try house.press(.later) }
        house.go(to: "2026-11-20T23:29:59Z")
        #expect(house.session == nil)
        house.go(to: "2026-11-20T23:30:00Z")
        #expect(house.session?.endsAt == at("2026-11-21T07:00:00Z"), "its end stays")
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session != nil, "only tonight's was moved")
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        let schedule: RecurringSchedule?
        let now: String
        let refusal: Refusal
        var prepare: @Sendable (inout House) throws -> Void = { _ in }
        var testDescription: String { name }
    }

    @Test(
        "Later and skip need a night that belongs to tonight and has not begun",
        arguments: [
            Refused(name: "none", schedule: nil, now: "2026-11-20T20:00:00Z", refusal: .noNightTonight),
            Refused(
                name: "another day's", schedule: schedule("22:00", "07:00", days: [.mon]),
                now: "2026-11-20T20:00:00Z", refusal: .noNightTonight),
            Refused(
                name: "begun", schedule: schedule("22:00", "07:00"), now: "2026-11-20T22:00:00Z",
                refusal: .nightBegun),
            Refused(
                name: "begun, strict", schedule: schedule("22:00", "07:00", .strict),
                now: "2026-11-21T01:00:00Z", refusal: .looseningStrict(of: "Me")),
            Refused(
                name: "a strict session by hand", schedule: schedule("22:00", "07:00"),
                now: "2026-11-20T20:00:00Z", refusal: .looseningStrict(of: "Me"),
                prepare: { try $0.start(60, .strict) }),
            Refused(
                name: "left already", schedule: schedule("22:00", "07:00"), now: "2026-11-20T23:00:00Z",
                refusal: .noNightTonight, prepare: { try $0.reset() }),
        ], [OneTap.later, .skip])
    func refused(_ row: Refused, _ tap: OneTap) throws {
        var house = House(home(row.schedule), at: row.now)
        try row.prepare(&house)
        let before = house.household
        #expect(throws: row.refusal) { try house.press(tap) }
        #expect(house.household == before)
    }

    @Test("A flexible manual session prevents neither", arguments: [OneTap.later, .skip])
    func allowedWhileAFlexibleOneRuns(_ tap: OneTap) throws {
        var house = House(home(schedule("22:00", "07:00")), at: "2026-11-20T20:00:00Z")
        try house.start(60)
        try house.press(tap)
        #expect(house.household[person: me]?.tonight != nil)
    }
}

extension House {
    @discardableResult
    mutating func press(
        _ tap: OneTap, by presser: String = "ada"
    ) throws -> (press: OneTapPress, event: SessionEvent?) {
        try change { try $0.press(tap, on: me, by: presser, unique: UUID(), at: $1) }
    }

    mutating func takeBack(_ press: OneTapPress, by presser: String = "ada") throws {
        try change { try $0.takeBack(press, by: presser, at: $1) }
    }
}
