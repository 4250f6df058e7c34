import Foundation
import Testing

@testable import Policy

@Suite struct PauseTests {
    /// A flexible night from 22:00 to 07:00 that is on since 47 minutes and 13 seconds.
    private static func house(
        _ strictness: StrictnessMode = .flexible, at now: String = "2026-11-20T22:47:13Z"
    )
        -> House
    {
        House(home(schedule("22:00", "07:00", strictness)), at: now)
    }

    @Test("Awake after the delay of a cancel, for 30 minutes to the whole minute; then the night goes on")
    func goesOn() throws {
        var house = Self.house()
        try house.wakeForAWhile()
        #expect(house.session?.cancelsAt == at("2026-11-20T22:47:43Z"))
        #expect(house.household.people[0].pauseEnd(at: house.now, in: .utc) == at("2026-11-20T23:18:00Z"))
        house.go(to: "2026-11-20T22:47:42Z")
        #expect(!house.verdict.blocks.isEmpty, "SI-042: not before the 30 seconds")
        house.go(to: "2026-11-20T22:47:43Z")
        #expect(house.session == nil && house.verdict.blocks.isEmpty)
        #expect(house.verdict.nextStart == at("2026-11-20T23:18:00Z"))
        #expect(house.household.people[0].pauseEnd(at: house.now, in: .utc) == at("2026-11-20T23:18:00Z"))
        house.go(to: "2026-11-20T23:17:59Z")
        #expect(house.session == nil)
        house.go(to: "2026-11-20T23:18:00Z")
        #expect(house.session?.night == day("2026-11-20"))
        #expect(house.session?.endsAt == at("2026-11-21T07:00:00Z"))
        #expect(house.household.people[0].pauseEnd(at: house.now, in: .utc) == nil)
        #expect(
            house.log == [
                "started 2026-11-20T22:00:00Z", "paused 2026-11-20T22:47:43Z", "started 2026-11-20T23:18:00Z",
            ])
        house.go(to: "2026-11-21T22:00:00Z")
        #expect(house.session?.startedAt == at("2026-11-21T22:00:00Z"), "the next night is as planned")
    }

    @Test("A server that was off meanwhile has the night on again when it is due")
    func noticedLate() throws {
        var house = Self.house()
        try house.wakeForAWhile()
        house.go(to: "2026-11-21T02:00:00Z")
        #expect(house.session?.startedAt == at("2026-11-20T23:18:00Z"))
        var over = Self.house()
        try over.wakeForAWhile()
        over.go(to: "2026-11-21T08:00:00Z")
        #expect(over.session == nil && over.household.people[0].tonight == nil)
    }

    @Test("It can be taken back, used again, and become waking for the rest of the night")
    func otherPresses() throws {
        var house = Self.house()
        try house.wakeForAWhile()
        try house.change { try $0.keepSleeping(me, at: $1) }
        #expect(house.session?.cancelsAt == nil && house.session?.pause == nil)
        try house.wakeForAWhile()
        house.go(to: "2026-11-20T23:30:00Z")
        try house.wakeForAWhile()
        house.go(to: "2026-11-20T23:31:00Z")
        #expect(house.verdict.nextStart == at("2026-11-21T00:01:00Z"))
        house.go(to: "2026-11-21T00:01:00Z")
        try house.wakeForAWhile()
        try house.change { try $0.beginCancel(me, at: $1) }
        house.wait(30)
        #expect(house.verdict.nextStart == at("2026-11-21T22:00:00Z"), "the night is done (C-12)")
    }

    @Test("While awake: to sleep at once, 30 minutes more as often as wanted, or awake for good")
    func whileAwake() throws {
        var house = Self.house()
        try house.wakeForAWhile()
        house.wait(30)
        for (minutes, start) in [(108, "2026-11-20T23:48:00Z"), (138, "2026-11-21T00:18:00Z")] {
            try house.press(.later)
            #expect(house.household.people[0].tonight?.minutes == minutes)
            #expect(house.verdict.nextStart == at(start))
        }
        var awake = house
        try awake.press(.skip)
        #expect(awake.verdict.nextStart == at("2026-11-21T22:00:00Z"))
        try house.tonight(.clear)
        #expect(house.session?.startedAt == at("2026-11-20T22:47:43Z"), "asleep from this press on")
    }

    @Test("A flexible session by hand inside a night gives way to the night")
    func byHand() throws {
        var house = Self.house(at: "2026-11-20T21:00:00Z")
        try house.press(.bedtime)
        #expect(
            house.household.people[0].pauseOffered(at: house.now, in: .utc) == nil, "no night is on by 21:31")
        house.go(to: "2026-11-20T23:00:00Z")
        try house.wakeForAWhile()
        house.wait(30)
        #expect(house.session == nil && house.verdict.nextStart == at("2026-11-20T23:31:00Z"))
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        var house = PauseTests.house()
        let refusal: Refusal
        var prepare: @Sendable (inout House) throws -> Void = { _ in }
        var testDescription: String { name }
    }

    @Test(
        "It needs a flexible night that is on in 30 minutes; strict stays strict",
        arguments: [
            Refused(name: "a strict night", house: house(.strict), refusal: .strictSession),
            Refused(
                name: "a strict session by hand", house: house(at: "2026-11-20T21:00:00Z"),
                refusal: .strictSession, prepare: { try $0.start(480, .strict) }),
            Refused(
                name: "a flexible session in a strict night",
                house: house(.strict, at: "2026-11-20T21:50:00Z"),
                refusal: .noNightToSleepOn, prepare: { try $0.start(120) }),
            Refused(
                name: "no schedule", house: House(home(), at: "2026-11-20T21:00:00Z"),
                refusal: .noNightToSleepOn, prepare: { try $0.start(480) }),
            Refused(
                name: "too near to the morning", house: house(at: "2026-11-21T06:30:00Z"),
                refusal: .noNightToSleepOn),
            Refused(name: "awake", house: house(at: "2026-11-20T20:00:00Z"), refusal: .noSession),
        ])
    func refused(_ row: Refused) throws {
        var house = row.house
        try row.prepare(&house)
        let before = house.household
        #expect(throws: row.refusal) { try house.wakeForAWhile() }
        #expect(house.household == before)
    }

    @Test("Both parts of a night count as quiet")
    func morning() throws {
        let parts = [("22:00", "22:48"), ("23:18", "07:00")].map { start, end in
            let late = end == "07:00"
            return PastNight(
                start: at("2026-11-20T\(start):00Z"), end: at("2026-11-2\(late ? 1 : 0)T\(end):00Z"),
                plannedEnd: at("2026-11-21T07:00:00Z"), isScheduled: true, ending: .kept)
        }
        let morning = Morning(after: parts, at: at("2026-11-21T07:10:00Z"), in: .utc)
        #expect(morning?.minutes == 48 + 7 * 60 + 42 && morning?.nights == 1)
    }
}

extension House {
    fileprivate mutating func wakeForAWhile() throws { try change { try $0.wakeForAWhile(me, at: $1) } }
}
