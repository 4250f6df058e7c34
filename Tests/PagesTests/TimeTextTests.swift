import Foundation
import Pages
import Policy
import Testing

struct TimeTextTests {
    private let face = ClockFace(zone: Sample.zone)

    @Test(arguments: [
        (0.4, "Tonight at 22:43"), (3.0, "Tonight at 01:19"), (24.5, "Tomorrow at 22:49"),
        (15.0, "Tomorrow at 13:19"),
        (27.0, "Sunday at 01:19"), (48.0, "Sunday at 22:19"), (99.0, "Wednesday at 01:19"),
    ])
    func comingBedtimes(hours: Double, text: String) {
        #expect(face.coming(Sample.at(hours: hours), from: Sample.now) == text)
    }

    /// It is Friday 22:19.
    @Test(arguments: [
        (1.0, "today at 23:19"), (2.0, "tomorrow at 00:19"), (26.0, "on Sunday at 00:19"),
        (145.0, "on Thursday at 23:19"), (167.0, "next Friday at 21:19"), (168.0, "next Friday at 22:19"),
    ])
    func whatIsToCome(hours: Double, text: String) {
        #expect(face.on(Sample.at(hours: hours), from: Sample.now) == text)
    }

    /// A day by itself, around Friday 2026-03-13 at 22:19.
    @Test(arguments: [
        (0.0, "today"), (-22.3, "today"), (-22.4, "yesterday"), (1.7, "tomorrow"), (26.0, "on 2026-03-15"),
        (-47.0, "on 2026-03-11"),
    ])
    func daysByThemselves(hours: Double, text: String) {
        #expect(face.day(Sample.at(hours: hours), from: Sample.now) == text)
    }

    /// At 00:30 the night that began at 22:00 is still tonight, and one at 01:00 is tonight too.
    @Test func afterMidnightItIsStillTonight() {
        #expect(face.coming(Sample.at(hours: 3), from: Sample.at(hours: 2.2)) == "Tonight at 01:19")
        #expect(face.coming(Sample.at(hours: 15), from: Sample.at(hours: 12)) == "Today at 13:19")
        #expect(face.coming(Sample.at(hours: 24), from: Sample.at(hours: 4)) == "Tonight at 22:19")
        #expect(face.coming(Sample.at(hours: 24), from: Sample.at(hours: 7)) == "Tonight at 22:19")
    }

    /// SI-162: the ring fills as time passes; a session without a duration is full.
    @Test(arguments: [(0.0, 628.3), (0.25, 471.2), (0.5, 314.2), (1.0, 0.0), (2.0, 0.0)])
    func theRingFills(share: Double, left: Double) {
        let start = Sample.now
        let ring = CountdownRing(
            startedAt: start, endsAt: start.addingTimeInterval(7200),
            now: start.addingTimeInterval(7200 * share))
        #expect(abs(ring.dashOffset - left) < 0.2)
        #expect(ring.hasProgress == (share > 0))
    }

    @Test func aRingWithoutDurationIsFull() {
        let ring = CountdownRing(startedAt: Sample.now, endsAt: Sample.now, now: Sample.now)
        #expect(ring.dashOffset == 0)
        #expect(ring.remaining == "00:00")
    }

    @Test(arguments: [
        ("22:00", "07:00", Weekday.allCases, "Every night 22:00–07:00 · 9 h"),
        ("23:30", "06:15", [.mon, .tue, .wed, .thu, .fri], "Monday to Friday 23:30–06:15 · 6 h 45 min"),
        ("13:00", "13:20", [.sat, .sun], "Saturday and Sunday 13:00–13:20 · 20 min"),
        ("22:00", "07:00", [.mon, .wed], "Mon, Wed 22:00–07:00 · 9 h"),
        ("22:00", "07:00", [], "No night 22:00–07:00 · 9 h"), ("22:00", "22:00", Weekday.allCases, ""),
        ("25:61", "07:00", Weekday.allCases, ""),
    ])
    func summaries(start: String, end: String, days: [Weekday], text: String) {
        #expect(ScheduleSummary.text(times(start, end, days)) == text)
    }

    private func times(_ start: String, _ end: String, _ days: [Weekday]) -> ScheduleSummary.Times {
        ScheduleSummary.Times(start: start, end: end, days: Set(days.map(\.rawValue)))
    }

    @Test func otherTimesOnSomeNights() {
        func text(_ days: [Weekday], _ exceptions: ScheduleSummary.Times...) -> String {
            ScheduleSummary.text(times("22:30", "06:45", days), exceptions: exceptions)
        }
        let late = times("23:30", "08:00", [.fri, .sat])
        #expect(
            text(Weekday.allCases, late)
                == "Sunday to Thursday 22:30–06:45 · 8 h 15 min; Friday and Saturday 23:30–08:00 · 8 h 30 min"
        )
        #expect(text([.mon], late) == "Mon 22:30–06:45 · 8 h 15 min", "of nights that are off there are none")
        #expect(text([.fri, .sat], late) == "Friday and Saturday 23:30–08:00 · 8 h 30 min")
        #expect(
            text([.fri, .sat], late, times("21:00", "05:00", [.sat]))
                == "Friday and Saturday 23:30–08:00 · 8 h 30 min", "the first that names a night holds")
        #expect(text(Weekday.allCases, times("25:00", "08:00", [.fri])) == "")
        #expect(text([], late) == "No night 22:30–06:45 · 8 h 15 min")
    }

    @Test(arguments: [
        (0, 0, false, "No device is using this yet. Nothing will be blocked."),
        (3, 0, false, "No device is using this yet. Nothing will be blocked."),
        (1, 0, true, "1 device is enrolled, quiet just now."),
        (2, 0, true, "2 devices are enrolled, quiet just now."),
        (1, 1, true, "1 device is using this."), (4, 3, true, "3 devices are using this."),
    ])
    func devicesAreNotOverstated(enrolled: Int, recent: Int, hasAsked: Bool, text: String) {
        #expect(DevicesInUse(enrolled: enrolled, recent: recent, hasAsked: hasAsked).text == text)
    }

    @Test(arguments: [
        (AppSelection(), "Nothing chosen yet"), (AppSelection(apps: ["a"]), "1 app"),
        (AppSelection(apps: ["a", "b"], domains: ["c"]), "2 apps and 1 domain"),
        (
            AppSelection(apps: ["a"], categories: ["b", "c"], domains: ["d"]),
            "1 app, 2 categories and 1 domain"
        ),
    ])
    func pickerCounts(selection: AppSelection, text: String) {
        #expect(Picker.count(selection) == text)
    }
}
