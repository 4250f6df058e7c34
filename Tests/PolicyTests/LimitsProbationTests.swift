import Foundation
import Testing

@testable import Policy

@Suite struct ProbationTests {
    private let tiktok = LimitTarget.app("tiktok")
    private let reddit = LimitTarget.app("reddit")
    private let social = LimitTarget.category("social")

    @Test("TH-030: unlock A, unlock B, A expires: only A is locked again, B stays until its own 60 s")
    func concurrent() throws {
        var house = try LimitedHouse([(tiktok, 30), (reddit, 30)])
        house.use(tiktok, 30)
        house.use(reddit, 31)
        #expect(house.isBlocked("tiktok.com") && house.isBlocked("reddit.com"))
        let first = try house.unlock(tiktok)
        #expect(!house.isBlocked("tiktok.com") && house.isBlocked("reddit.com"))
        house.wait(40)
        try house.unlock(reddit)
        house.wait(19.999)
        #expect(!house.isBlocked("tiktok.com") && !house.isBlocked("reddit.com"))
        #expect(
            house.household.evaluate(at: house.now, usage: house.usage)[me]?.validUntil == first.expiresAt)
        house.wait(0.001)
        #expect(house.isBlocked("tiktok.com") && !house.isBlocked("reddit.com"))
        #expect(house.limits.probations.map(\.target) == [reddit], "TH-029")
        house.wait(39.999)
        #expect(!house.isBlocked("reddit.com"))
        house.wait(0.001)
        #expect(house.isBlocked("reddit.com"))
        #expect(house.limits.probations.isEmpty)
    }

    @Test("TH-031: the end of the first unlock of an app does not cut its second")
    func twice() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        let first = try house.unlock(tiktok)
        house.wait(30)
        let second = try house.unlock(tiktok)
        #expect(first.id != second.id)
        #expect(house.state(tiktok)?.probationEndsAt == second.expiresAt)
        house.wait(30)
        #expect(!house.isBlocked("tiktok.com"))
        house.wait(30)
        #expect(house.isBlocked("tiktok.com"))
    }

    @Test("TH-016: an app's unlock exempts it from every limit, a category's only from the category's limit")
    func scopes() throws {
        var house = try LimitedHouse([(tiktok, 30), (social, 60)])
        house.use(tiktok, 30)
        house.use(social, 60)
        let app = try house.unlock(tiktok)
        #expect(app.id.hasPrefix("probation_") && !app.id.hasPrefix("probation_cat_"), "TH-019")
        #expect(!house.isBlocked("www.tiktok.com") && house.isBlocked("reddit.com"))
        house.wait(60)
        let category = try house.unlock(social)
        #expect(category.id.hasPrefix("probation_cat_"), "TH-019")
        #expect(house.isBlocked("tiktok.com"), "its own limit holds")
        #expect(!house.isBlocked("reddit.com"))
    }

    @Test("An app that only its category's limit covers is unlocked by itself")
    func heldByCategory() throws {
        var house = try LimitedHouse([(social, 60)])
        house.use(social, 75)
        try house.unlock(reddit)
        #expect(!house.isBlocked("reddit.com") && house.isBlocked("tiktok.com"))
    }

    @Test func whatIsNotReachedIsNotUnlocked() throws {
        var house = try LimitedHouse([(tiktok, 30), (social, 60)])
        house.use(tiktok, 29)
        let before = house.household
        #expect(throws: Refusal.limitNotReached) { try house.unlock(tiktok) }
        #expect(throws: Refusal.limitNotReached) { try house.unlock(reddit) }
        #expect(throws: Refusal.limitNotReached) { try house.unlock(social) }
        #expect(throws: Refusal.unknownLimit) { try house.unlock(.app("youtube")) }
        #expect(throws: Refusal.unknownLimit) { try house.unlock(.category("video")) }
        #expect(throws: Refusal.unknownTarget) { try house.unlock(.app("gone")) }
        #expect(throws: Refusal.unknownLimit, "Kim has none") {
            try house.household.grantProbation(
                kid, target: tiktok, unique: UUID(), catalog: smallCatalog, usage: house.usage, at: house.now)
        }
        #expect(house.household == before)
    }

    @Test("A-10: any number of unlocks, or as many per day of limits as were chosen")
    func caps() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        for _ in 0..<50 { try house.unlock(tiktok) }
        #expect(house.limits.unlocks?.count == 50)
        try house.household.setUnlocksPerDay(me, to: 0, change: UUID(), at: house.now)
        #expect(throws: Refusal.unlocksUsedUp) { try house.unlock(tiktok) }
        try house.household.setUnlocksPerDay(me, to: 52, change: UUID(), at: house.now)
        try house.unlock(tiktok)
        try house.unlock(tiktok)
        #expect(throws: Refusal.unlocksUsedUp) { try house.unlock(tiktok) }
        house.now = at("2026-11-19T00:00:00Z")
        house.use(tiktok, 30, week: 60)
        let day = house.limits.day(at: house.now, in: .utc)
        #expect(house.limits.unlocksUsed(on: day) == 0)
        try house.unlock(tiktok)
        #expect(house.limits.unlocksUsed(on: day) == 1)
    }

    @Test("A clock that steps back shortens no unlock and makes none longer than a minute from then")
    func clockStepsBack() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        house.use(tiktok, 30)
        try house.unlock(tiktok)
        house.wait(-0.4)
        #expect(!house.isBlocked("tiktok.com"))
        house.wait(-3_600)
        #expect(!house.isBlocked("tiktok.com"))
        house.wait(60)
        #expect(house.isBlocked("tiktok.com"))
    }

    @Test("TH-022: it ends across a restart, and lasts over midnight")
    func midnight() throws {
        var house = try LimitedHouse([(tiktok, 30)])
        try house.set(tiktok, 30, weekly: 40)
        house.now = at("2026-11-18T23:59:30Z")
        house.use(tiktok, 30, week: 40)
        let unlock = try house.unlock(tiktok)
        house.now = at("2026-11-19T00:00:10Z")
        house.use(tiktok, 0, week: 40)
        #expect(!house.isBlocked("tiktok.com"))
        #expect(house.state(tiktok)?.probationEndsAt == unlock.expiresAt)
        house.now = at("2026-11-19T00:00:30Z")
        #expect(house.isBlocked("tiktok.com"), "the week's budget is used up, and nothing was settled")
    }
}
