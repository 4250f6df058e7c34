import Foundation
import Testing

@testable import Policy

@Suite struct BonusTests {
    private let tiktok = LimitTarget.app("tiktok")
    private let social = LimitTarget.category("social")

    private func give(
        _ minutes: Int, _ target: LimitTarget? = nil, to house: inout LimitedHouse
    ) throws -> OneTapPress {
        defer { house.settle() }
        return try house.household.press(
            .bonus(Bonus(minutes: minutes, target: target)), on: me, by: "ada", unique: UUID(),
            usage: house.usage, at: house.now
        ).press
    }

    @Test("Minutes for one limit, from now on, and no longer than today")
    func oneLimit() throws {
        var house = try LimitedHouse([(tiktok, 30), (social, 60)])
        house.use(tiktok, 30)
        house.use(tiktok, 34)
        #expect(house.isBlocked("tiktok.com"))
        _ = try give(30, tiktok, to: &house)
        #expect(!house.isBlocked("tiktok.com"))
        #expect(house.state(tiktok)?.allowance == 64 && house.state(social)?.allowance == 60)
        let day = house.limits.day(at: house.now, in: .utc)
        #expect(house.limits.extra(for: tiktok, on: day) == Limits.Extra(given: 30, past: 4))
        house.use(tiktok, 64)
        #expect(house.isBlocked("tiktok.com"))
        house.now = at("2026-11-19T00:00:00Z")
        house.use(tiktok, 0)
        #expect(house.state(tiktok)?.allowance == 30)
    }

    @Test("Minutes for all limits of a person, in the week's too, and beside what was granted")
    func allLimits() throws {
        var house = try LimitedHouse()
        try house.set(tiktok, 30, weekly: 100)
        try house.set(social, 60)
        house.use(tiktok, 30, week: 100)
        try house.answer(house.ask(tiktok), grant: true)
        _ = try give(60, to: &house)
        #expect(house.states.map(\.allowance) == [105, 120])
        #expect(house.state(tiktok)?.weeklyAllowance == 175)
        #expect(house.limits.extraTime.count == 2)
        let day = house.limits.day(at: house.now, in: .utc)
        #expect(house.limits.extra(for: tiktok, on: day) == Limits.Extra(given: 75, past: 0))
    }

    @Test("Undo takes it back within eight seconds, unless another answer came in between")
    func undo() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let before = house.household
        let press = try give(15, tiktok, to: &house)
        #expect(throws: Refusal.undoNotYours) {
            try house.household.takeBack(press, by: "kim", at: house.now)
        }
        try house.household.takeBack(press, by: "ada", at: house.now + 8)
        house.settle()
        #expect(house.household == before && house.isBlocked("tiktok.com"))
        let second = try give(15, tiktok, to: &house)
        _ = try give(30, tiktok, to: &house)
        #expect(throws: Refusal.undoOvertaken) {
            try house.household.takeBack(second, by: "ada", at: house.now)
        }
    }

    @Test("Out of range, without that limit, and for an adult who chose to wait it is refused")
    func refused() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        let before = house.household
        for minutes in [0, -15, 721, .max] {
            #expect(throws: Refusal.bonusOutOfRange) { try give(minutes, tiktok, to: &house) }
        }
        #expect(throws: Refusal.unknownLimit) { try give(15, social, to: &house) }
        #expect(house.household == before)
        house.household.people[0].looseningDelay = 8
        #expect(throws: Refusal.looseningWaits(of: "Me", hours: 8)) { try give(15, to: &house) }
        #expect(!house.household.people[0].takesBonus)
        house.household.people[0].role = .child
        #expect(house.household.people[0].takesBonus)
        _ = try give(15, to: &house)
        #expect(house.state(tiktok)?.allowance == 45)
    }

    @Test("A document of before has no minutes past the limit") func older() throws {
        let text = #"{"target":{"kind":"app","target":"tiktok"},"day":"2026-11-18","minutes":15}"#
        let read = try JSONDecoder().decode(ExtraTime.self, from: Data(text.utf8))
        #expect(read == ExtraTime(target: tiktok, day: day("2026-11-18"), minutes: 15))
    }
}
