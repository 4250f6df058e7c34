import Foundation
import Policy
import Testing

@testable import Store

/// Minutes that another machine counted, in the database.
@Suite struct UsageOfOthersTests {
    private static let phone = DeviceID(rawValue: 1)
    private static let hour = Int(noon.timeIntervalSince1970) / 3600
    private static let today = CivilDate("2026-11-21")!

    private static func mask(
        _ minutes: UInt64, app: String = "tiktok", hour: Int = hour, person: PersonID = me,
        source: UsageSource = .dns
    ) -> HourMask {
        HourMask(person: person, device: phone, app: app, hour: hour, source: source, minutes: minutes)
    }

    private static func figures(_ store: HouseholdStore, on date: CivilDate = today) throws -> [String?: Int]
    {
        Dictionary(
            uniqueKeysWithValues: try store.usageDays(of: me, from: date, to: date).map {
                ($0.app, $0.minutes)
            })
    }

    @Test("They are joined by union, a day's figures follow, and the same again changes nothing")
    func union() throws {
        let store = try Scratch().open()
        var batch = UsageBatch()
        batch.hours = [Self.mask(0b11)]
        batch.days = [nil, "tiktok"].map {
            UsageDay(person: me, date: Self.today, app: $0, minutes: 2, source: .dns)
        }
        try store.recordUsage(batch)
        let others = [Self.mask(0b110), Self.mask(0b1100, app: "gmail")]
        for _ in 0..<2 {
            try store.joinUsage(others)
            #expect(
                Set(try store.usageHours(latest: 1, at: noon).joined()) == [
                    Self.mask(0b111), Self.mask(0b1100, app: "gmail"),
                ])
            #expect(try Self.figures(store) == ["tiktok": 3, "gmail": 2, nil: 4])
        }
    }

    @Test("Bytes count from their first minute on, as on the machine that relayed them") func relayed() throws
    {
        let store = try Scratch().open()
        try store.joinUsage([Self.mask(0b1111)])
        try store.joinUsage([Self.mask(0b0110, source: .relay)])
        #expect(try Self.figures(store) == ["tiktok": 3, nil: 3])
    }

    @Test("Nobody comes back: minutes of people who are gone are skipped") func gone() throws {
        let store = try Scratch().open()
        try store.joinUsage([Self.mask(1, person: PersonID(rawValue: 99)), Self.mask(1, app: "gmail")])
        #expect(Array(try store.usageHours(latest: 9, at: noon).joined()) == [Self.mask(1, app: "gmail")])
    }

    @Test("An hour on the border of two dates counts on each, in the household's zone") func borders() throws
    {
        let store = try Scratch().open()
        try store.change { $0.timeZone = "Asia/Kolkata" }
        // 18:30 UTC is midnight there.
        try store.joinUsage([Self.mask(1 << 29 | 1 << 30 | 1 << 31, hour: Self.hour + 6)])
        #expect(try Self.figures(store) == ["tiktok": 1, nil: 1])
        #expect(try Self.figures(store, on: Self.today.adding(days: 1)) == ["tiktok": 2, nil: 2])
    }

    @Test("A UTC day's minutes are read by device, without those that are not settled") func byDay() throws {
        let store = try Scratch().open()
        try store.joinUsage([Self.mask(0b111), Self.mask(1, hour: Self.hour - 13)])
        let day = Self.hour / 24
        #expect(try store.usage(onDay: day, before: Self.hour * 60 + 2).map(\.masks) == [[Self.mask(0b11)]])
        #expect(
            try store.usage(onDay: day - 1, before: Self.hour * 60).map(\.masks) == [
                [Self.mask(1, hour: Self.hour - 13)]
            ])
    }
}
