import Foundation
import Testing

@testable import Policy

@Suite struct DateExceptionTests {
    /// A Friday afternoon.
    private let now = at("2026-11-27T15:00:00Z")
    private let weekend = ScheduleException(days: [.fri, .sat], start: time("23:00"), end: time("09:00"))

    private func exception(
        _ first: String, _ last: String, _ instead: DateException.Instead = .nothing
    ) -> DateException {
        DateException(id: UUID(), first: day(first), last: day(last), instead: instead)
    }

    private func house(delay: Int = 0) -> House {
        var household = home(schedule("21:00", "07:00", exceptions: [weekend]))
        household.people[1].schedule = household.people[0].schedule
        for index in household.people.indices {
            household.people[index].antiRot = AntiRot(
                restricted: AppSelection(apps: ["tiktok"]),
                windows: [
                    TimeWindow(id: UUID(), label: "", start: time("17:00"), end: time("18:00")),
                    TimeWindow(
                        id: UUID(), label: "", start: time("10:00"), end: time("12:00"), days: [.sat, .sun]),
                ])
            household.people[index].limits.list = [
                UsageLimit(id: UUID(), target: .app("reddit"), minutes: 30, minutesByDay: [.sat: 90])
            ]
            household.people[index].looseningDelay = delay
        }
        return House(household, at: "2026-11-27T15:00:00Z")
    }

    @Test(
        "School holidays are as on Saturday, for nights, windows and limits, and end by themselves")
    func holidays() throws {
        var house = house()
        try house.change {
            try $0.addDateException(exception("2026-11-30", "2026-12-06", .weekday(.sat)), for: [me], at: $1)
        }
        let person = house.household.people[0]
        let nights = try #require(person.nights(in: .utc))
        let found = nights.upcoming(from: at("2026-11-29T12:00:00Z"), count: 9)
        #expect(
            found.map { "\($0.date) \($0.bedtime)" } == [
                "2026-11-29 21:00", "2026-11-30 23:00", "2026-12-01 23:00", "2026-12-02 23:00",
                "2026-12-03 23:00", "2026-12-04 23:00", "2026-12-05 23:00", "2026-12-06 23:00",
                "2026-12-07 21:00",
            ])
        func isOpen(_ instant: String) -> Bool { !person.windowsStatus(at: at(instant), in: .utc).isBlocked }
        #expect(isOpen("2026-11-30T10:00:00Z") && isOpen("2026-12-06T11:59:00Z"))
        #expect(!isOpen("2026-12-07T10:00:00Z") && isOpen("2026-12-07T17:30:00Z"))
        func minutes(_ instant: String) -> Int? {
            person.limitStates(at: at(instant), in: .utc).first?.allowance
        }
        #expect(minutes("2026-11-30T10:00:00Z") == 90 && minutes("2026-12-07T00:00:00Z") == 30)
        #expect(house.household.dateExceptions(at: at("2026-12-06T23:59:59Z")).count == 1)
        #expect(house.household.dateExceptions(at: at("2026-12-07T00:00:00Z")).isEmpty)
    }

    @Test("A night belongs to the date of its bedtime, and another bedtime leaves windows and limits")
    func oneEvening() throws {
        var house = house()
        let late = exception("2026-12-11", "2026-12-11", .times(start: time("23:30"), end: time("10:00")))
        try house.change { try $0.addDateException(late, for: [me], at: $1) }
        house.go(to: "2026-12-11T23:29:59Z")
        #expect(house.session == nil)
        #expect(house.verdict.blocks.map(\.layer) == [.windows])
        house.go(to: "2026-12-11T23:30:00Z")
        house.go(to: "2026-12-12T09:59:59Z")
        #expect(house.session?.night == day("2026-12-11"))
        house.go(to: "2026-12-12T10:00:00Z")
        #expect(house.session == nil)
    }

    @Test("On a day without rules nothing is blocked from midnight to midnight; a session that runs goes on")
    func ill() throws {
        var house = house()
        house.go(to: "2026-11-28T02:00:00Z")
        let session = try #require(house.session)
        try house.change {
            try $0.addDateException(exception("2026-11-28", "2026-11-28"), for: [me], at: $1)
        }
        #expect(house.session == session, "Friday's night")
        house.go(to: "2026-11-28T09:00:00Z")
        var usage = UsageTotals.none
        usage[me, .app("reddit")] = TargetUse(day: 500, week: 500)
        #expect(house.household.evaluate(at: house.now, usage: usage)[me]?.blocks == [])
        house.go(to: "2026-11-29T00:00:00Z")
        #expect(house.session == nil)
        #expect(
            house.household.evaluate(at: house.now, usage: usage)[me]?.blocks.map(\.layer) == [
                .windows, .limits,
            ])
        house.go(to: "2026-11-29T21:00:00Z")
        #expect(house.session?.night == day("2026-11-29"))
    }

    @Test("The one that was added last counts; what it says nothing about, the one before")
    func order() throws {
        var house = house()
        try house.change { household, now in
            try household.addDateException(
                exception("2026-11-30", "2026-12-06", .nothing), for: [me], at: now)
            try household.addDateException(
                exception("2026-12-02", "2026-12-02", .times(start: time("20:00"), end: time("06:00"))),
                for: [me], at: now)
        }
        let person = house.household.people[0]
        let next = person.nights(in: .utc)?.nextNight(after: at("2026-11-30T00:00:00Z"))
        #expect(next?.start == at("2026-12-02T20:00:00Z"))
        #expect(person.dateExceptions.weekday(on: day("2026-12-02")) == nil)
    }

    @Test("A night ends at the latest with the next bedtime, and both are slept")
    func overlap() throws {
        var house = house()
        let long = exception("2026-11-28", "2026-11-28", .times(start: time("22:00"), end: time("21:30")))
        try house.change { try $0.addDateException(long, for: [me], at: $1) }
        house.go(to: "2026-11-29T20:59:59Z")
        #expect(house.session?.night == day("2026-11-28"))
        house.go(to: "2026-11-29T21:00:00Z")
        #expect(house.session?.night == day("2026-11-29"))
        #expect(house.session?.endsAt == at("2026-11-30T07:00:00Z"))
    }

    @Test("It is taken back with one command, for all who have it or for one of them")
    func takenBack() throws {
        var household = house().household
        let before = household
        let both = exception("2026-11-28", "2026-11-29")
        #expect(try household.addDateException(both, for: [me, kid], at: now) == [.now, .now])
        #expect(household.dateExceptions(at: now).map(\.people) == [[me, kid]])
        #expect(try household.removeDateException(both.id, of: kid, at: now) == [kid: .now])
        #expect(household.dateExceptions(at: now).map(\.people) == [[me]])
        #expect(try household.removeDateException(both.id, at: now) == [me: .now])
        #expect(household == before)
        #expect(throws: Refusal.unknownDateException) {
            try household.removeDateException(both.id, at: now)
        }
    }

    @Test("Bad ones are refused, and nothing is changed")
    func refused() {
        var household = house().household
        let before = household
        let cases: [(DateException, [PersonID], Refusal)] = [
            (exception("2026-11-29", "2026-11-28"), [me], .datesOutOfOrder),
            (exception("2026-11-28", "2027-11-29"), [me], .exceptionTooLong),
            (exception("2026-11-20", "2026-11-26"), [me], .exceptionOver),
            (exception("2026-11-28", "2026-11-28"), [], .nobodyChosen),
            (exception("2026-11-28", "2026-11-28"), [me, PersonID(rawValue: 9)], .unknownPerson),
            (
                exception("2026-11-28", "2026-11-28", .times(start: time("22:00"), end: time("22:00"))), [me],
                .sameTimes
            ),
        ]
        for (exception, people, refusal) in cases {
            #expect(throws: refusal) { try household.addDateException(exception, for: people, at: now) }
            #expect(household == before)
        }
        household.people[0].dateExceptions = (0..<30).map { _ in exception("2026-11-28", "2026-11-28") }
        #expect(throws: Refusal.tooManyDateExceptions) {
            try household.addDateException(exception("2026-11-28", "2026-11-28"), for: [me], at: now)
        }
        household.people[0].dateExceptions[0].last = day("2026-11-24")
        household.people[0].dateExceptions[0].first = day("2026-11-24")
        #expect(throws: Never.self) {
            try household.addDateException(exception("2026-11-28", "2026-11-28"), for: [me], at: now)
        }
    }

    private static let loosening: [(DateException.Instead, Bool)] = [
        (.nothing, true), (.weekday(.sat), true), (.weekday(.tue), false),
        (.times(start: time("20:30"), end: time("07:30")), false),
        (.times(start: time("20:30"), end: time("06:59")), true),
        (.times(start: time("21:01"), end: time("07:30")), true),
    ]

    @Test(
        "What makes any rule easier waits as long as other changes; what is stricter acts at once",
        arguments: loosening.indices) func waits(_ index: Int) throws
    {
        let (instead, isLooser) = Self.loosening[index]
        var house = house(delay: 24)
        let monday = exception("2026-11-30", "2026-11-30", instead)
        let applied = try house.change { try $0.addDateException(monday, for: [me], at: $1) }
        #expect(applied == [isLooser ? .at(now + 86_400) : .now], "\(instead)")
        #expect(house.household.people[0].dateExceptions.isEmpty == isLooser)
        #expect(house.household.dateExceptions(at: now).first?.waitsUntil == (isLooser ? now + 86_400 : nil))
        house.go(to: now + 86_400)
        #expect(house.household.people[0].dateExceptions == [monday])
        #expect(house.household.dateExceptions(at: house.now).first?.waitsUntil == nil)
    }

    @Test("To take a stricter one back waits too, and to take back one that waits does not")
    func takingBackWaits() throws {
        var house = house(delay: 8)
        let early = exception("2026-11-30", "2026-11-30", .times(start: time("19:00"), end: time("07:00")))
        let free = exception("2026-11-30", "2026-11-30")
        try house.change { household, now in
            try household.addDateException(early, for: [me], at: now)
            try household.addDateException(free, for: [me], at: now)
            #expect(try household.removeDateException(free.id, at: now) == [me: .now])
            #expect(try household.removeDateException(early.id, at: now) == [me: .at(now + 8 * 3_600)])
        }
        #expect(house.household.dateExceptions(at: house.now).map(\.goesAt) == [now + 8 * 3_600])
        house.go(to: now + 8 * 3_600)
        #expect(house.household.people[0].dateExceptions.isEmpty)
    }

    @Test("A person with nothing to loosen does not wait") func nothingToLoosen() throws {
        var house = house(delay: 24)
        house.household.people[0].antiRot = AntiRot()
        house.household.people[0].limits = Limits()
        #expect(
            try house.household.addDateException(exception("2026-11-30", "2026-11-30"), for: [me], at: now)
                == [.now])
    }

    @Test("A strict session is not made shorter by a night that no longer follows it")
    func strict() throws {
        var house = house()
        house.go(to: "2026-11-27T21:30:00Z")
        try house.start(120, .strict)
        #expect(house.household.people[0].asleepUntil(at: house.now, in: .utc) == at("2026-11-28T09:00:00Z"))
        let tonight = exception("2026-11-27", "2026-11-27")
        let before = house.household
        #expect(throws: Refusal.looseningStrict(of: "Me")) {
            try house.household.addDateException(tonight, for: [me], at: house.now)
        }
        #expect(house.household == before)
        try house.household.addDateException(exception("2026-11-28", "2026-11-28"), for: [me], at: house.now)
    }

    @Test(
        "A night that an exception opens after its wait begins when the wait is over, looked at or not",
        arguments: [[0, 3_600], [3_600]]) func opensLater(steps: [Int]) throws
    {
        var house = house(delay: 8)
        house.household.people[0].schedule = schedule("23:30", "09:00")
        house.household.people[1].schedule = nil
        let early = exception("2026-11-27", "2026-11-27", .times(start: time("20:00"), end: time("08:59")))
        try house.change { try $0.addDateException(early, for: [me], at: $1) }
        for step in steps { house.go(to: at("2026-11-27T23:00:00Z") + TimeInterval(step)) }
        #expect(house.log == ["started 2026-11-27T23:00:00Z"])
    }
}
