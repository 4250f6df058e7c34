import Foundation
import Testing

@testable import Policy

/// A limit on a category without some of its apps.
@Suite struct LeftOutTests {
    private let social = LimitTarget.category("social")
    private let now = at("2026-11-18T10:00:00Z")

    private func limit(_ leavesOut: Set<String>, on target: LimitTarget = .category("social")) -> UsageLimit {
        UsageLimit(id: UUID(), target: target, minutes: 30, leavesOut: leavesOut)
    }

    private func save(_ limit: UsageLimit, in house: inout LimitedHouse) throws -> Applied {
        defer { house.settle() }
        return try house.household.setLimit(
            me, limit, catalog: smallCatalog, change: UUID(), at: house.now)
    }

    @Test("An app that a category's limit leaves out stays open when the limit is reached")
    func staysOpen() throws {
        var house = try LimitedHouse()
        _ = try save(limit(["reddit"]), in: &house)
        house.use(social, 30)
        #expect(house.isBlocked("tiktok.com") && !house.isBlocked("reddit.com"))
        #expect(throws: Refusal.unknownLimit) { try house.ask(.app("reddit")) }
        #expect(try house.ask(.app("tiktok")).target == social)
        // Its own limit holds nevertheless.
        try house.set(.app("reddit"), 10)
        house.use(.app("reddit"), 10)
        #expect(house.isBlocked("reddit.com"))
    }

    @Test("Its minutes do not count") func minutes() throws {
        var house = try LimitedHouse()
        _ = try save(limit(["reddit"]), in: &house)
        var ledger = UsageLedger()
        let start = Int(at("2026-11-18T08:00:00Z").timeIntervalSince1970) / 60
        for (app, minutes) in [("tiktok", 0..<10), ("reddit", 20..<45)] {
            let range = start + minutes.lowerBound...start + minutes.upperBound - 1
            ledger.apply(UsageChange(device: phone, person: me, app: app, range: range, minutes: [range]))
        }
        var latest = LatestTotals()
        func used() -> Int {
            latest.totals(of: ledger, for: house.household, catalog: smallCatalog, at: now)[me, social].day
        }
        #expect(used() == 10)
        _ = try save(limit([]), in: &house)
        #expect(used() == 35, "at once, also from what was computed before")
    }

    @Test("To leave more out waits as other loosening does, and to leave less out acts at once")
    func loosens() throws {
        var house = try LimitedHouse()
        #expect(try save(limit(["reddit"]), in: &house) == .now)
        house.household.people[0].looseningDelay = 8
        #expect(try save(limit(["reddit", "tiktok"]), in: &house) == .at(now + 8 * 3_600))
        #expect(house.limits.list[0].leavesOut == ["reddit"])
        #expect(try save(limit([]), in: &house) == .now)
        #expect(house.limits.list[0].leavesOut.isEmpty)
    }

    @Test("Only apps of the category; one that the catalog has lost is dropped")
    func refused() throws {
        var house = try LimitedHouse()
        #expect(throws: Refusal.unknownIDs(["gone", "youtube"])) {
            try save(limit(["youtube", "gone", "reddit"]), in: &house)
        }
        #expect(throws: Refusal.unknownIDs(["tiktok"])) {
            try save(limit(["tiktok"], on: .app("tiktok")), in: &house)
        }
        #expect(house.limits.list.isEmpty)
        house.household.people[0].limits.list = [limit(["gone", "reddit"])]
        _ = try save(limit(["gone", "reddit"]), in: &house)
        #expect(house.limits.list.map(\.leavesOut) == [["reddit"]])
    }

    @Test("A document of before leaves nothing out, and one without such apps is as it was")
    func documents() throws {
        let kept = limit(["reddit", "tiktok"])
        #expect(try JSONDecoder().decode(UsageLimit.self, from: JSONEncoder().encode(kept)) == kept)
        let text = String(decoding: try JSONEncoder().encode(limit([])), as: UTF8.self)
        #expect(!text.contains("leavesOut"))
    }
}
