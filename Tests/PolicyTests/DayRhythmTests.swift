import Foundation
import Testing

@testable import Policy

@Suite struct DayRhythmTests {
    private static let berlin = zone("Europe/Berlin")

    private static func span(_ start: String, _ end: String) -> Range<Date> { at(start)..<at(end) }

    @Test(
        "A-14: days of 23, 24 and 25 hours",
        arguments: [("2026-03-29", 1_380), ("2026-11-20", 1_440), ("2026-10-25", 1_500)])
    func lengths(_ date: String, _ length: Int) {
        let zone = Self.berlin
        let start = Int(zone.dayStart(day(date)).timeIntervalSince1970) / 60
        let rhythm = DayRhythm(day(date), in: zone, use: [start - 90..<start + 2_000])
        #expect(rhythm.length == length && rhythm.total(.use) == length)
        #expect(rhythm[.use] == [0..<length])
        #expect(rhythm.hours.reduce(0, +) == length)
        // The spring's 02:00 does not exist, the autumn's comes twice.
        #expect(rhythm.hours[2] == length - 1_380)
        #expect(rhythm.hours[3] == 60)
    }

    @Test("A night is cut at midnight, and each day has its part")
    func cut() {
        let night = [Self.span("2026-11-20T21:00:00Z", "2026-11-21T06:00:00Z")]
        let evening = DayRhythm(day("2026-11-20"), in: Self.berlin, spans: [.sleep: night])
        let morning = DayRhythm(day("2026-11-21"), in: Self.berlin, spans: [.sleep: night])
        #expect(evening[.sleep] == [1_320..<1_440] && morning[.sleep] == [0..<420])
        #expect(evening.total(.sleep) + morning.total(.sleep) == 540)
        #expect(evening.start == at("2026-11-19T23:00:00Z"))
    }

    @Test("A minute counts once, and parts that touch are one")
    func joined() {
        let rhythm = DayRhythm(
            day("2026-11-20"), in: .utc,
            spans: [
                .focus: [
                    Self.span("2026-11-20T10:20:00Z", "2026-11-20T10:45:00Z"),
                    Self.span("2026-11-20T10:00:00Z", "2026-11-20T10:25:00Z"),
                    Self.span("2026-11-20T10:45:00Z", "2026-11-20T10:50:00Z"),
                ]
            ])
        #expect(rhythm[.focus] == [600..<650] && rhythm.total(.focus) == 50)
        #expect(!rhythm.isEmpty)
    }

    @Test("Limits reached on this day only, in order")
    func reached() {
        let (video, games) = (LimitTarget.category("video"), LimitTarget.category("games"))
        let rhythm = DayRhythm(
            day("2026-11-20"), in: .utc,
            reached: [
                (games, at("2026-11-20T20:00:30Z")), (video, at("2026-11-20T00:00:00Z")),
                (video, at("2026-11-21T00:00:00Z")), (video, at("2026-11-19T23:59:59Z")),
            ])
        #expect(
            rhythm.reached.map(\.target) == [video, games] && rhythm.reached.map(\.minute) == [0, 1_200])
        #expect(!rhythm.isEmpty)
    }

    @Test("A minute of sleep is no bedtime to come: a session by hand can run into the night")
    func sleepIsNoBedtime() throws {
        let zone = try #require(CivilZone("Europe/Berlin"))
        let date = try #require(CivilDate("2026-11-20"))
        let start = zone.dayStart(date)
        func span(_ from: Double, _ to: Double) -> Range<Date> { start + from * 3_600..<start + to * 3_600 }
        let day = DayRhythm(
            date, in: zone, spans: [.sleep: [span(1, 2), span(20, 22)], .bedtime: [span(19, 24)]])
        #expect(day[.bedtime] == [1_140..<1_200, 1_320..<1_440])
        #expect(day.total(.sleep) == 180)
    }

    @Test("A day without anything is empty, and a day that the zone skipped has no minutes")
    func empty() {
        #expect(DayRhythm(day("2026-11-20"), in: .utc).isEmpty)
        let none = DayRhythm(
            day("2011-12-30"), in: zone("Pacific/Apia"),
            spans: [.sleep: [Self.span("2011-12-29T08:00:00Z", "2011-12-31T08:00:00Z")]])
        #expect(none.length == 0 && none.isEmpty)
    }
}
