import Foundation
import Testing

@testable import Policy

@Suite struct CivilDateTests {
    @Test(arguments: [
        ("1970-01-01", 0, Weekday.thu), ("2000-02-29", 11_016, .tue), ("2026-03-29", 20_541, .sun),
        ("2026-11-21", 20_778, .sat), ("0001-01-01", -719_162, .mon), ("9999-12-31", 2_932_896, .fri),
    ])
    func dayNumbersAndWeekdays(_ text: String, _ number: Int, _ weekday: Weekday) {
        let date = day(text)
        #expect(date.dayNumber == number)
        #expect(CivilDate(dayNumber: number) == date)
        #expect(date.weekday == weekday)
        #expect(date.description == text)
    }

    @Test func everyDayOfFourCenturiesIsWhatTheGregorianCalendarSays() {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "UTC")!
        var last = day("1899-12-31")
        for number in last.dayNumber + 1..<day("2300-01-01").dayNumber {
            let date = CivilDate(dayNumber: number)
            #expect(date.dayNumber == number && date > last && date == last.adding(days: 1))
            #expect(date.weekday == last.weekday.next)
            if number % 97 == 0 {
                let parts = calendar.dateComponents(
                    [.year, .month, .day, .weekday],
                    from: Date(timeIntervalSince1970: Double(number) * 86_400))
                #expect(parts.year == date.year && parts.month == date.month && parts.day == date.day)
                #expect((parts.weekday! + 5) % 7 == date.weekday.order)
            }
            last = date
        }
    }

    @Test(arguments: [
        "", "2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "1900-02-29", "0000-01-01", "2026-1-01",
        "2026-01-1", "2026/01/01", "+026-01-01", "2026-01-01 ", "2026-01-01T00", "٢٠٢٦-٠١-٠١", "20260-1-01",
    ])
    func refusesWhatIsNoDay(_ text: String) { #expect(CivilDate(text) == nil) }

    @Test func stopsAtTheEndsOfTheCalendar() {
        #expect(day("9999-12-31").adding(days: 1) == day("9999-12-31"))
        #expect(day("0001-01-01").adding(days: -1) == day("0001-01-01"))
        #expect(zone("UTC").date(of: Date(timeIntervalSince1970: 1e300)).year == 9999)
        #expect(zone("Europe/Berlin").date(of: Date(timeIntervalSince1970: -1e300)).year == 1)
    }

    @Test func weekdaysHaveNamesAndAnOrder() {
        #expect(Weekday.allCases.map(\.displayName).prefix(2) == ["Monday", "Tuesday"])
        #expect(Weekday.allCases.map(\.short) == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"])
        #expect(Weekday.allCases.map(\.order) == Array(0...6))
        #expect(Weekday.sun.next == .mon && Weekday.mon < .sun)
    }
}

@Suite struct TimeOfDayTests {
    @Test(arguments: [("00:00", 0), ("07:00", 420), ("22:30", 1_350), ("23:59", 1_439)])
    func readsAndWrites(_ text: String, _ minutes: Int) {
        #expect(TimeOfDay(text)?.minuteOfDay == minutes)
        #expect(TimeOfDay(text)?.description == text)
    }

    @Test(
        "SI-052 to SI-055: only 00:00 to 23:59",
        arguments: [
            "", "24:00", "25:61", "12:60", "7:00", "07:0", "07:00:00", " 07:00", "07:00 ", "-1:00", "+7:00",
            "07.00",
            "0７:00", "٠٧:٠٠", "07:00\u{301}", "ab:cd", "0x:00",
        ])
    func refusesOtherTimes(_ text: String) { #expect(TimeOfDay(text) == nil) }

    @Test func ordersByTheWall() {
        #expect(time("06:59") < time("07:00") && time("07:00") < time("22:00"))
    }
}
