import Foundation
import Testing

@testable import Policy

func window(
    _ start: String, _ end: String, _ label: String = "", days: Set<Weekday> = Set(Weekday.allCases)
) -> TimeWindow {
    TimeWindow(id: UUID(), label: label, start: time(start), end: time(end), days: days)
}

@Suite struct WindowsCommandTests {
    private let now = at("2026-11-20T10:00:00Z")
    private let lunch = window("12:00", "13:00", "Lunch")
    private let dinner = window("18:00", "19:00", "Dinner")

    private func add(_ window: TimeWindow, to household: inout Household) throws {
        try household.saveWindow(me, window, change: UUID(), at: now)
    }

    private var mine: Household {
        var household = home()
        household.people[0].antiRot = AntiRot(
            restricted: AppSelection(apps: ["tiktok"]), windows: [lunch, dinner])
        return household
    }

    @Test(
        "AR-023, AR-093: windows are in order of start; they may touch, and an overlap names the other")
    func overlap() throws {
        var household = mine
        try add(window("13:00", "13:30"), to: &household)
        try add(window("08:00", "09:00"), to: &household)
        #expect(
            household.people[0].antiRot.windows?.map(\.times)
                == ["08:00–09:00", "12:00–13:00", "13:00–13:30", "18:00–19:00"])
        let before = household
        for (start, end) in [("11:00", "12:01"), ("12:59", "13:00"), ("12:00", "13:00"), ("00:00", "23:59")] {
            let other = start == "00:00" ? before.people[0].antiRot.windows![0] : lunch
            #expect(throws: Refusal.windowsOverlap(other)) {
                try add(window(start, end), to: &household)
            }
        }
        #expect(household == before)
        #expect(Refusal.windowsOverlap(lunch).message == "This overlaps with Lunch, 12:00–13:00.")
    }

    @Test("Windows of different weekdays do not overlap; one common day is enough")
    func overlapPerWeekday() throws {
        var household = home()
        try add(window("12:00", "14:00", "Week", days: [.mon, .tue]), to: &household)
        try add(window("13:00", "15:00", days: [.sat, .sun]), to: &household)
        let week = household.people[0].antiRot.windows![0]
        #expect(throws: Refusal.windowsOverlap(week)) {
            try add(window("13:30", "15:00", days: [.tue, .wed]), to: &household)
        }
    }

    @Test(
        "AR-094, C-03: a window may end after midnight, but not when it starts",
        arguments: [("23:00", "01:00"), ("22:00", "00:00"), ("23:59", "06:00"), ("12:01", "12:00")])
    func acrossMidnight(_ start: String, _ end: String) throws {
        var household = home()
        try add(window(start, end), to: &household)
        #expect(household.people[0].antiRot.windows?.map(\.end) == [time(end)])
        #expect(throws: Refusal.windowSameTimes) { try add(window(start, start), to: &household) }
    }

    @Test func badInputIsRefused() {
        var household = home()
        #expect(throws: Refusal.windowSameTimes) { try add(window("12:00", "12:00"), to: &household) }
        #expect(throws: Refusal.noWeekdays) { try add(window("12:00", "13:00", days: []), to: &household) }
        for label in [String(repeating: "x", count: 61), String(repeating: "x", count: 10_000)] {
            #expect(throws: Refusal.labelTooLong) {
                try add(window("12:00", "13:00", label), to: &household)
            }
        }
        let stacked = "x" + String(repeating: "\u{301}", count: 10_000)
        #expect(throws: Refusal.labelTooLong) { try add(window("12:00", "13:00", stacked), to: &household) }
        #expect(throws: Refusal.unknownPerson) {
            try household.saveWindow(PersonID(rawValue: 9), lunch, change: UUID(), at: now)
        }
        #expect(household == home())
    }

    @Test("A-22: a label is cleaned and may be empty; markup in it is text")
    func labels() throws {
        var household = home()
        try add(window("08:00", "09:00", " \u{202E}\u{0} "), to: &household)
        try add(window("10:00", "11:00", "  <b>Tea</b>\n&  cake"), to: &household)
        try add(window("12:00", "13:00", String(repeating: "é", count: 60)), to: &household)
        let windows = household.people[0].antiRot.windows!
        #expect(windows[0].name(in: .twentyFourHours) == "08:00–09:00")
        #expect(windows[1].name(in: .twentyFourHours) == "<b>Tea</b> & cake")
        #expect(windows[2].label.count == 60)
    }

    @Test func thereIsAnEndToThem() throws {
        var household = home()
        for hour in 0..<24 {
            let from = TimeOfDay(hour: hour, minute: 0)
            let to = TimeOfDay(hour: hour, minute: 30)
            try add(TimeWindow(id: UUID(), label: "", start: from, end: to), to: &household)
        }
        #expect(throws: Refusal.tooManyWindows) { try add(window("00:30", "00:40"), to: &household) }
        let many = (0..<25).map { window("12:\(String($0 + 10))", "12:\(String($0 + 11))") }
        #expect(throws: Refusal.tooManyWindows) {
            try household.saveWindows(me, many, confirmed: true, change: UUID(), at: now)
        }
    }

    @Test("AR-090, C-14: removing the last window needs a confirmation, and then everything is blocked")
    func lastWindow() throws {
        var household = mine
        try household.removeWindow(me, window: lunch.id, confirmed: false, change: UUID(), at: now)
        #expect(throws: Refusal.emptyScheduleUnconfirmed) {
            try household.removeWindow(me, window: dinner.id, confirmed: false, change: UUID(), at: now)
        }
        #expect(household.people[0].antiRot.windows == [dinner])
        try household.removeWindow(me, window: dinner.id, confirmed: true, change: UUID(), at: now)
        #expect(household.people[0].antiRot.windows == [])
        #expect(household.people[0].windowsStatus(at: now, in: .utc).isBlocked)
        #expect(throws: Refusal.unknownWindow) {
            try household.removeWindow(me, window: dinner.id, confirmed: true, change: UUID(), at: now)
        }
    }

    @Test func savingAllWindowsAtOnce() throws {
        var household = mine
        #expect(throws: Refusal.emptyScheduleUnconfirmed) {
            try household.saveWindows(me, [], confirmed: false, change: UUID(), at: now)
        }
        var fresh = home()
        #expect(throws: Refusal.emptyScheduleUnconfirmed) {
            try fresh.saveWindows(me, [], confirmed: false, change: UUID(), at: now)
        }
        #expect(throws: Refusal.windowsOverlap(lunch)) {
            try household.saveWindows(me, [lunch, lunch], confirmed: false, change: UUID(), at: now)
        }
        #expect(household == mine)
        try household.saveWindows(me, [dinner, lunch], confirmed: false, change: UUID(), at: now)
        #expect(household == mine)
        try household.saveWindows(me, [], confirmed: true, change: UUID(), at: now)
        try household.saveWindows(me, [], confirmed: false, change: UUID(), at: now)
        #expect(household.people[0].antiRot.windows == [])
    }

    @Test(
        "AR-060, C-20: apps are saved at once; unknown ids are refused, lost ones are dropped"
    )
    func restricted() throws {
        var household = mine
        household.people[0].antiRot.restricted = AppSelection(apps: ["tiktok", "lost"])
        household.people[0].looseningDelay = 24
        let before = household
        #expect(throws: Refusal.unknownIDs(["nope"])) {
            try household.saveRestricted(
                me, ["tiktok", "nope"], catalog: fewApps, change: UUID(), at: now)
        }
        #expect(household == before)
        let applied = try household.saveRestricted(
            me, ["tiktok", "reddit"], catalog: fewApps, change: UUID(), at: now)
        #expect(applied == .now)
        #expect(household.people[0].antiRot.restricted == AppSelection(apps: ["tiktok", "reddit"]))
    }

    @Test("A strict session restricts nothing here")
    func strict() throws {
        var household = mine
        try household.startSession(me, durationMinutes: 60, strictness: .strict, id: UUID(), at: now)
        try household.activateOverride(me, at: now)
        try household.saveRestricted(me, [], catalog: fewApps, change: UUID(), at: now)
        try household.removeWindow(me, window: lunch.id, confirmed: false, change: UUID(), at: now)
        #expect(household.people[0].antiRot.windows == [dinner])
    }
}
