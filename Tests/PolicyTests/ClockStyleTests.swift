import Foundation
import Policy
import Testing

@Suite struct ClockStyleTests {
    @Test(
        "Midnight is 12:00 AM and noon 12:00 PM",
        arguments: [
            ("00:00", "12:00 AM"), ("00:05", "12:05 AM"), ("01:00", "1:00 AM"), ("11:59", "11:59 AM"),
            ("12:00", "12:00 PM"), ("12:30", "12:30 PM"), ("13:07", "1:07 PM"), ("22:00", "10:00 PM"),
            ("23:59", "11:59 PM"),
        ])
    func writesTimes(time: String, text: String) throws {
        let time = try #require(TimeOfDay(time))
        #expect(time.text(in: .twelveHours) == text.replacing(" ", with: "\u{A0}"), "and does not break")
        #expect(time.text(in: .twentyFourHours) == time.description)
    }

    @Test func writesTheHoursOfAnAxisAndTheEndOfTheDay() {
        let hours = [0, 6, 12, 18, 24]
        #expect(hours.map(ClockStyle.twentyFourHours.axisText) == ["00", "06", "12", "18", "24"])
        let twelve = hours.map { ClockStyle.twelveHours.axisText(hour: $0).replacing("\u{A0}", with: " ") }
        #expect(twelve == ["12 AM", "6 AM", "12 PM", "6 PM", "12 AM"])
        #expect(ClockStyle.twentyFourHours.endOfDay == "24:00")
        #expect(ClockStyle.twelveHours.endOfDay == "12:00\u{A0}AM")
    }

    @Test(
        "A browser's first language says which hours it is used to",
        arguments: [
            // Regions, as Unicode's CLDR has them.
            ("en-US", true), ("en-US,en;q=0.9", true), ("en-GB,en;q=0.9", false), ("en-CA", true),
            ("fr-CA", false),
            ("en-AU", true), ("en-NZ,en;q=0.5", true), ("hi-IN", true), ("fil-PH", true), ("ar-EG", true),
            ("ko-KR", true),
            ("es-CO", true), ("ur-PK", true), ("ms-MY", true), ("es-419", true), ("es-ES", false),
            ("de-DE", false),
            ("pt-BR", false), ("ja-JP", false), ("en-001", true), ("en-150", false), ("en-ZA", false),
            // No region: where most of its speakers are, or what another entry of the language says.
            ("en", true), ("de", false), ("ar", true), ("ko", true), ("pt", false), ("zh", false),
            ("zh-Hant", true),
            ("en,en-GB;q=0.8", false), ("de,en-US;q=0.7,en;q=0.3", false), ("sr-Latn", false),
            // Weights: the most wanted counts, and of equal ones the first.
            ("de-DE;q=0.5,en-US;q=0.8", true), ("en-US;q=0,de-DE", false), ("en-US;q=0.000,de;q=0.1", false),
            ("de-DE,en-US", false), ("en-US,de-DE", true), ("de-DE; q=0.3 , en-US ;q=0.4", true),
            // Case, scripts, extensions and old shapes.
            ("EN-us", true), ("zh-Hant-TW", true), ("zh-Hans-CN", false), ("de-AT-u-hc-h12", false),
            ("en-u-rg-dezzzz", true),
            // What cannot be read counts for nothing.
            ("", false), ("*", false), ("*,en-US;q=0.5", true), ("en-US;q=2", false), ("en-US;q=x,de", false),
            (";;;,,,q=1", false), ("e-US", false), ("en_US", false), ("en--US", false),
            ("\u{202E}en-US", false),
        ])
    func readsAcceptLanguage(header: String, isTwelve: Bool) {
        let style = ClockSetting.automatic.style(for: header)
        #expect((style == .twelveHours) == isTwelve, "\(header)")
    }

    @Test func theHouseholdsChoiceComesFirst() {
        #expect(ClockSetting.automatic.style(for: nil) == .twentyFourHours)
        #expect(ClockSetting.twelve.style(for: "de-DE") == .twelveHours)
        #expect(ClockSetting.twelve.style(for: nil) == .twelveHours)
        #expect(ClockSetting.twentyFour.style(for: "en-US") == .twentyFourHours)
    }

    @Test("A header of any length is read in no time")
    func readsLongHeaders() {
        let long = String(repeating: "xx-YY;q=0.1,", count: 100_000) + "en-US"
        #expect(ClockSetting.automatic.style(for: long) == .twentyFourHours)
    }

    @Test func refusalsNameTimesAsTheReaderIsUsedTo() throws {
        let (late, early) = (try #require(TimeOfDay("22:00")), try #require(TimeOfDay("06:00")))
        let refusal = Refusal.windowsOverlap(TimeWindow(id: UUID(), label: "", start: late, end: early))
        #expect(refusal.message.contains("22:00–06:00"))
        let twelve = refusal.message(in: .twelveHours).replacing("\u{A0}", with: " ")
        #expect(twelve.contains("10:00 PM–6:00 AM"))
    }
}
