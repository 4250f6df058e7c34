import Foundation
import Testing

@testable import Policy

@Suite struct TimeRequestTests {
    private let tiktok = LimitTarget.app("tiktok")
    private let social = LimitTarget.category("social")

    @Test("A grant gives fifteen more minutes today, in the week's budget too")
    func granted() throws {
        var house = try LimitedHouse()
        try house.set(tiktok, 30, weekly: 100)
        house.use(tiktok, 30, week: 100)
        let request = try house.ask(tiktok)
        #expect(request.target == tiktok && request.device == phone && request.answer == .open)
        #expect(try house.ask(tiktok) == request, "an open one is returned again")
        try house.answer(request, grant: true)
        #expect(!house.isBlocked("tiktok.com"))
        #expect(house.state(tiktok)?.allowance == 45)
        #expect(house.state(tiktok)?.weeklyAllowance == 115)
        #expect(house.limits.requests.map(\.answer) == [.granted])
        #expect(house.limits.requests[0].answeredAt == house.now)
        #expect(throws: Refusal.requestAnswered) { try house.answer(request, grant: false) }
        house.use(tiktok, 45, week: 115)
        #expect(house.isBlocked("tiktok.com"))
        // The day's minutes count for that day, the week's for that week.
        house.now = at("2026-11-19T10:00:00Z")
        house.use(tiktok, 0, week: 114)
        #expect(house.state(tiktok)?.allowance == 30)
        #expect(house.state(tiktok)?.weeklyAllowance == 115)
        #expect(house.limits.requests.isEmpty)
        house.now = at("2026-11-23T00:00:00Z")
        house.use(tiktok, 0)
        #expect(house.state(tiktok)?.weeklyAllowance == 100)
    }

    @Test("Fifteen minutes from now, even if unlocked minutes went past the limit")
    func pastTheLimit() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        house.use(tiktok, 52)
        try house.answer(house.ask(tiktok), grant: true)
        #expect(house.state(tiktok)?.allowance == 67)
        #expect(!house.isBlocked("tiktok.com"))
        // A second grant adds to the first.
        house.use(tiktok, 67)
        try house.answer(house.ask(tiktok), grant: true)
        #expect(house.state(tiktok)?.allowance == 82)
        #expect(house.limits.extraTime.count == 1)
        let day = house.limits.day(at: house.now, in: house.household.zone)
        #expect(house.limits.extra(for: tiktok, on: day) == Limits.Extra(given: 30, past: 22))
        #expect(house.limits.extra(for: social, on: day) == Limits.Extra(given: 0, past: 0))
    }

    @Test("An app that its category's limit blocks asks for the category")
    func category() throws {
        var house = try LimitedHouse([(tiktok, 30), (social, 60)])
        #expect(throws: Refusal.limitNotReached) { try house.ask(tiktok) }
        #expect(throws: Refusal.unknownLimit) { try house.ask(.app("youtube")) }
        house.use(social, 60)
        let request = try house.ask(tiktok)
        #expect(request.target == social)
        #expect(try house.ask(.app("reddit")) == request)
        house.use(tiktok, 30)
        #expect(try house.ask(tiktok).target == tiktok, "its own comes first")
    }

    @Test func declinedAndUnknown() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let request = try house.ask(tiktok)
        #expect(throws: Refusal.unknownRequest) {
            try house.household.answerRequest(kid, request: request.id, grant: true, at: house.now)
        }
        try house.answer(request, grant: false)
        #expect(house.isBlocked("tiktok.com"))
        #expect(house.limits.extraTime.isEmpty)
        #expect(throws: Refusal.requestAnswered, "a no holds for the day") { try house.ask(tiktok) }
        // A request disappears with its limit.
        try house.household.removeLimit(me, limit: house.limits.list[0].id, change: UUID(), at: house.now)
        house.settle()
        #expect(house.limits.requests.map(\.answer) == [.declined])
    }

    @Test("An unanswered request ends with its day")
    func lapses() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        try house.household.setResetHour(me, to: 5, change: UUID(), at: house.now)
        house.use(tiktok, 30)
        let request = try house.ask(tiktok)
        house.now = at("2026-11-19T04:59:59Z")
        house.settle()
        #expect(house.limits.requests == [request])
        house.wait(1)
        #expect(throws: Refusal.unknownRequest) { try house.answer(request, grant: true) }
    }
}
