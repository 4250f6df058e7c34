import Foundation
import Testing

@testable import Policy

@Suite struct LimitDayTests {
    @Test(
        "TH-007, A-14: from the reset hour on the wall to the next, 23, 24 or 25 hours long",
        arguments: [
            ("Europe/Berlin", 0, "2026-11-18T12:00:00Z", "2026-11-18", "2026-11-17T23:00:00Z", 24.0),
            ("Europe/Berlin", 0, "2026-11-17T23:00:00Z", "2026-11-18", "2026-11-17T23:00:00Z", 24),
            ("Europe/Berlin", 0, "2026-11-17T22:59:59Z", "2026-11-17", "2026-11-16T23:00:00Z", 24),
            ("Europe/Berlin", 0, "2026-03-29T12:00:00Z", "2026-03-29", "2026-03-28T23:00:00Z", 23),
            ("Europe/Berlin", 0, "2026-10-25T12:00:00Z", "2026-10-25", "2026-10-24T22:00:00Z", 25),
            ("Europe/Berlin", 5, "2026-11-18T03:59:59Z", "2026-11-17", "2026-11-17T04:00:00Z", 24),
            ("Europe/Berlin", 5, "2026-11-18T04:00:00Z", "2026-11-18", "2026-11-18T04:00:00Z", 24),
            // 02:00 is skipped: the day begins with the first instant after the gap.
            ("Europe/Berlin", 2, "2026-03-29T01:00:00Z", "2026-03-29", "2026-03-29T01:00:00Z", 23),
            ("Europe/Berlin", 2, "2026-03-29T00:59:59Z", "2026-03-28", "2026-03-28T01:00:00Z", 24),
            // 02:00 comes twice: the day begins with the first, and does not go back at the second.
            ("Europe/Berlin", 2, "2026-10-25T01:30:00Z", "2026-10-25", "2026-10-25T00:00:00Z", 25),
            ("America/Havana", 0, "2026-11-01T05:30:00Z", "2026-11-01", "2026-11-01T04:00:00Z", 25),
        ])
    func days(
        _ name: String, _ hour: Int, _ now: String, _ date: String, _ start: String, _ hours: Double
    ) {
        let found = LimitDay(containing: at(now), resetHour: hour, in: zone(name))
        #expect(found.date == day(date))
        #expect(found.start == at(start))
        #expect(found.end == at(start) + hours * 3_600)
    }

    @Test("A week is Monday to Sunday, and begins at the reset hour too")
    func weeks() {
        let sunday = LimitDay(containing: at("2026-11-23T04:59:59Z"), resetHour: 5, in: .utc)
        #expect(sunday.date == day("2026-11-22"))
        #expect(sunday.weekStart == at("2026-11-16T05:00:00Z"))
        #expect(sunday.weekEnd == at("2026-11-23T05:00:00Z"))
        #expect(sunday.week == day("2026-11-16")...day("2026-11-22"))
        let monday = LimitDay(containing: at("2026-11-23T05:00:00Z"), resetHour: 5, in: .utc)
        #expect(monday.weekStart == monday.start)
        #expect(monday.weekEnd == at("2026-11-30T05:00:00Z"))
    }

    @Test("Every instant lies in its day, its day in its week, and days follow each other", arguments: 0..<20)
    func covers(_ seed: UInt64) {
        var random = Generator(seed: 8_000 + seed)
        for _ in 0..<100 {
            let (now, hour, place) = (
                random.instant(), random.int(0...23), zone(random.pick(Generator.zones))
            )
            let today = LimitDay(containing: now, resetHour: hour, in: place)
            #expect(today.start <= now && now < today.end, "\(now) \(hour) \(place)")
            #expect(today.weekStart <= today.start && today.end <= today.weekEnd)
            let next = LimitDay(containing: today.end, resetHour: hour, in: place)
            #expect(next.start == today.end && next.date > today.date)
            #expect(LimitDay(containing: today.start, resetHour: hour, in: place) == today)
        }
    }
}
