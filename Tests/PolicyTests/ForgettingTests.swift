import Foundation
import Testing

@testable import Policy

@Suite("A clock that is ahead for a while deletes no grant and no request")
struct ForgettingTests {
    private let tiktok = LimitTarget.app("tiktok")

    @Test func grantsAndQuestionsOfToday() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let request = try house.ask(tiktok)
        try house.answer(request, grant: true)
        let before = house.limits
        #expect(before.extraTime.count == 1 && before.requests.count == 1)

        let ahead = house.now + 20 * 86_400
        _ = house.household.settle(at: ahead, trusted: house.now, newID: UUID.init)
        #expect(house.limits.extraTime == before.extraTime && house.limits.requests == before.requests)
        _ = house.household.settle(at: ahead, trusted: ahead, newID: UUID.init)
        #expect(house.limits.extraTime.isEmpty && house.limits.requests.isEmpty)
    }

    @Test("A clock that is not trusted yet deletes no grant made under it")
    func grantsOfToday() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let request = try house.ask(tiktok)
        try house.answer(request, grant: true)
        let before = house.limits
        _ = house.household.settle(at: house.now, trusted: house.now - 21 * 86_400, newID: UUID.init)
        #expect(house.limits.extraTime == before.extraTime && house.limits.requests == before.requests)
    }
}
