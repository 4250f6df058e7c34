import Foundation
import Testing

@testable import Policy

@Suite struct WindowsEditTests {
    private let now = at("2026-11-20T10:00:00Z")
    private let lunch = window("12:00", "13:00", "Lunch")
    private let dinner = window("18:00", "19:00", "Dinner")

    private func mine(waits hours: Int = 0) -> Household {
        var household = home()
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]), windows: [lunch, dinner])
        household.people[0].looseningDelay = hours
        return household
    }

    private func changed(_ window: TimeWindow, _ start: String, _ end: String) -> TimeWindow {
        TimeWindow(id: window.id, label: "Other", start: time(start), end: time(end), days: [.mon])
    }

    @Test("A window gets another label, other times and days, and the order follows")
    func changes() throws {
        var household = mine()
        let late = changed(lunch, "20:00", "21:00")
        let applied = try household.saveWindow(me, late, inPlaceOf: late.id, change: UUID(), at: now)
        #expect(applied == .now)
        #expect(household.people[0].antiRot.windows == [dinner, late])
    }

    @Test("It may overlap with itself and with no other; what is refused changes nothing")
    func refuses() throws {
        var household = mine()
        try household.saveWindow(
            me, changed(lunch, "12:30", "13:30"), inPlaceOf: lunch.id, change: UUID(), at: now)
        let before = household
        for (window, refusal) in [
            (
                TimeWindow(id: lunch.id, label: "", start: time("17:00"), end: time("18:30")),
                Refusal.windowsOverlap(dinner)
            ),
            (changed(lunch, "23:00", "23:00"), .windowSameTimes),
            (window("08:00", "09:00"), .unknownWindow),
        ] {
            #expect(throws: refusal) {
                try household.saveWindow(me, window, inPlaceOf: window.id, change: UUID(), at: now)
            }
        }
        #expect(household == before)
    }

    @Test("Where loosening waits, a longer window waits and a shorter one holds at once")
    func waits() throws {
        var household = mine(waits: 8)
        let shorter = TimeWindow(id: lunch.id, label: "Lunch", start: time("12:00"), end: time("12:30"))
        #expect(
            try household.saveWindow(me, shorter, inPlaceOf: shorter.id, change: UUID(), at: now) == .now)
        let longer = TimeWindow(id: lunch.id, label: "Lunch", start: time("12:00"), end: time("14:00"))
        let applied = try household.saveWindow(me, longer, inPlaceOf: longer.id, change: UUID(), at: now)
        #expect(applied == .at(now.addingTimeInterval(8 * 3_600)))
        #expect(household.people[0].antiRot.windows == [shorter, dinner])
        #expect(household.people[0].plannedWindows == [longer, dinner])
    }

    @Test(
        "A new window proposes the next free full hour",
        arguments: [
            ([], "09:00", "09:00–10:00"), ([], "09:01", "10:00–11:00"), ([], "22:30", "23:00–00:00"),
            ([], "23:01", "00:00–01:00"), ([("12:00", "13:00")], "11:20", "13:00–14:00"),
            ([("12:30", "12:45")], "11:20", "13:00–14:00"), ([("11:00", "12:00")], "10:30", "12:00–13:00"),
            ([("09:00", "23:59")], "10:00", "00:00–01:00"), ([("00:00", "23:59")], "10:00", nil),
            ([("23:30", "00:30")], "22:10", "01:00–02:00"),
        ] as [([(String, String)], String, String?)])
    func proposes(_ taken: [(String, String)], _ now: String, _ proposal: String?) {
        let windows = taken.map { window($0.0, $0.1, days: [.tue]) }
        let hour = TimeWindow.proposal(beside: windows, after: time(now))
        #expect(hour.map { "\($0.start)–\($0.end)" } == proposal)
    }

    @Test("A proposal overlaps nothing and is always one that can be added, whatever is there")
    func alwaysFits() {
        for minute in stride(from: 0, to: 1440, by: 37) {
            var windows: [TimeWindow] = []
            let now = TimeOfDay(hour: minute / 60, minute: minute % 60)
            while let hour = TimeWindow.proposal(beside: windows, after: now) {
                let new = TimeWindow(id: UUID(), label: "", start: hour.start, end: hour.end)
                #expect(!windows.contains { $0.overlaps(new) } && (try? new.checked()) != nil)
                windows.append(new)
            }
            #expect(windows.count == 24)
        }
    }
}
