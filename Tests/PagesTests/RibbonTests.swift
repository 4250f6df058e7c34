import Dashboard
import Foundation
import Pages
import Policy
import Testing

/// A day's headline, chart, ribbon and table come from one sum.
@Suite struct RibbonTests {
    private static let berlin = CivilZone("Europe/Berlin")!

    /// The usage page of a day, with use in the first seven minutes of each of its hours, and ten more at its end.
    private static func page(_ day: DayRhythm) throws -> String {
        let report = UsageReport(
            rhythm: day, apps: [], days: [.init(date: day.date, minutes: day.total(.use))])
        let page = UsagePage(
            report: report, app: nil, catalog: Sample.catalog, of: Sample.person(), isAlone: true,
            today: day.date.adding(days: 1), clock: ClockFace(zone: Sample.zone),
            nights: NightsCalendar([:], today: day.date), bends: []
        ) { date, _ in "/usage?date=\(date)" }
        return try PageState(
            name: "day", page: page,
            context: PageContext(csrf: "t", person: Sample.person(), now: Sample.now, zone: Sample.zone)
        ).html()
    }

    private static func minutes(_ text: Substring) -> Int {
        text.split(separator: " ").reduce(0) { sum, part in
            sum + (Int(part.dropLast()) ?? 0) * (part.hasSuffix("h") ? 60 : 1)
        }
    }

    @Test(
        "Headline, chart, ribbon and table say the same of days with 23, 24 and 25 hours",
        arguments: [("2026-03-29", 23), ("2026-11-20", 24), ("2026-10-25", 25)])
    func oneSum(_ text: String, _ length: Int) throws {
        let date = try #require(CivilDate(text))
        let start = Int(Self.berlin.dayStart(date).timeIntervalSince1970) / 60
        let use = (0..<length).map { start + $0 * 60..<start + $0 * 60 + 7 }
        let end = start + length * 60
        let day = DayRhythm(date, in: Self.berlin, use: use + [end - 10..<end + 30])
        let total = length * 7 + 10
        let html = try Self.page(day)
        let headline = try #require(html.firstMatch(of: /class="figure"><b>([^<]+)</))
        #expect(Self.minutes(headline.1) == total)
        let chart = try #require(html.firstMatch(of: /aria-label="Minutes by hour, [^:]+: ([^.]+)\./))
        #expect(Self.minutes(chart.1) == total)
        let rows = html.matches(of: /<th scope="row">\d\d:00<\/th><td>([^<]+)</)
        #expect(rows.count == 24 && rows.reduce(0) { $0 + Self.minutes($1.1) } == total)
        let table = try #require(html.firstMatch(of: /App use<\/th><td>[^<]+<\/td><td>([^<]+)</))
        #expect(Self.minutes(table.1) == total)
        let drawn = html.matches(of: /<rect class="use" x="([\d.]+)%" width="([\d.]+)%"/)
        let width = drawn.reduce(0) { $0 + (Double($1.2) ?? 0) }
        #expect(drawn.count == length + 1 && abs(width * Double(length) * 0.6 - Double(total)) < 3)
        #expect(html.contains("The day in \(length) hours."))
        // 06:00 by the wall, not six hours after midnight.
        let six = (Double(length - 18) * 100 / Double(length) * 100).rounded() / 100
        #expect(
            html.contains("<text x=\"\(six)%\" y=\"100%\" dy=\"1.35em\" text-anchor=\"middle\">06</text>"))
    }

    @Test("An empty day says so, and draws nothing")
    func empty() throws {
        let html = try Self.page(DayRhythm(CivilDate(year: 2026, month: 11, day: 20), in: Self.berlin))
        #expect(html.contains("No sleep, focus or app use on this day yet."))
        #expect(!html.contains("class=\"ribbon\""))
    }

    @Test("Only people whose use may be seen have a ribbon in the household view")
    func household() throws {
        let home = Sample.household()
        let day = DayRhythm(CivilDate(year: 2026, month: 3, day: 13), in: Self.berlin)
        for (rhythms, count) in [([:], 0), ([Sample.me: day], 1)] {
            let page = HouseholdPage(
                household: home, catalog: Sample.catalog, rhythms: rhythms, now: Sample.now)
            let html = try PageState(
                name: "household", page: page,
                context: PageContext(csrf: "t", person: Sample.person(), now: Sample.now, zone: Sample.zone)
            ).html()
            #expect(html.matches(of: /class="rhythm"/).count == count)
        }
    }
}
