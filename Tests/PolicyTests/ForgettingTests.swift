import Foundation
import Testing

@testable import Policy

@Suite("Old things go by their age only while the clock is synchronised, otherwise by count")
struct ForgettingTests {
    private let tiktok = LimitTarget.app("tiktok")

    @Test("A clock that is ahead for a while takes no grant and no question along")
    func grantsAndQuestionsOfToday() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let request = try house.ask(tiktok)
        try house.answer(request, grant: true)
        let before = house.limits
        #expect(before.extraTime.count == 1 && before.requests.count == 1)

        let ahead = house.now + 20 * 86_400
        house.household.forget(at: ahead, isSynchronised: false)
        #expect(house.limits == before)
        house.household.forget(at: ahead, isSynchronised: true)
        #expect(house.limits.extraTime.isEmpty && house.limits.requests.isEmpty)
    }

    @Test("What is not forgotten yet is over with its day all the same")
    func over() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let request = try house.ask(tiktok)
        func asked(at instant: Date) -> [TimeRequest] {
            house.household[person: me]!.requests(at: instant, in: house.household.zone)
        }
        let tomorrow = house.now + 86_400
        #expect(asked(at: house.now) == [request] && asked(at: tomorrow).isEmpty)
        #expect(asked(at: house.now - 86_400) == [request], "a clock that was a day ahead")
        #expect(throws: Refusal.unknownRequest) {
            try house.household.answerRequest(me, request: request.id, grant: true, at: tomorrow)
        }
        let other = try house.household.askForTime(
            me, target: tiktok, device: phone, request: UUID(), catalog: smallCatalog, usage: house.usage,
            at: tomorrow)
        #expect(other != request)
    }

    @Test("Without a synchronised clock the last 200 stay")
    func count() {
        var household = home()
        household.people[0].limits.extraTime = (1...201).map {
            ExtraTime(target: tiktok, day: day("2026-01-01").adding(days: $0), minutes: $0)
        }
        household.forget(at: at("2030-01-01T00:00:00Z"), isSynchronised: false)
        #expect(household.people[0].limits.extraTime.map(\.minutes) == Array(2...201))
    }
}
