import Foundation
import Testing

@testable import Policy

@Suite struct WindowsStatusTests {
    private func antiRot(_ windows: [TimeWindow]?, _ override: OverrideState = OverrideState()) -> AntiRot {
        AntiRot(restricted: AppSelection(apps: ["tiktok"]), windows: windows, override: override)
    }

    private func status(_ windows: [TimeWindow]?, _ instant: String, _ name: String = "UTC") -> AntiRot.Status
    {
        antiRot(windows).status(at: at(instant), in: zone(name), except: [])
    }

    private let meals = [window("12:00", "13:00", "Lunch"), window("18:00", "19:00", "Dinner")]

    @Test("AR-027: the example, with its names and values")
    func example() {
        let periods = antiRot(meals).first.blockedPeriods(on: .wed)
        #expect(
            periods.map { "\($0.name) \($0.start)→\($0.end)" } == [
                "blocked-period-0 00:00→12:00", "blocked-period-1 13:00→18:00",
                "blocked-period-2 19:00→23:59",
            ])
    }

    @Test(
        "AR-025, AR-032, AR-033: no gap between windows that touch, none without windows, whatever their order"
    )
    func periods() {
        func times(_ windows: [TimeWindow]?, _ day: Weekday = .mon) -> [String] {
            antiRot(windows).first.blockedPeriods(on: day).map { "\($0.start)→\($0.end)" }
        }
        #expect(times(nil) == [] && times([]) == [])
        #expect(
            times([window("13:00", "14:00"), window("12:00", "13:00")]) == ["00:00→12:00", "14:00→23:59"])
        #expect(times([window("00:00", "06:00")]) == ["06:00→23:59"])
        #expect(times([window("22:00", "23:59")]) == ["00:00→22:00"])
        #expect(times([window("00:00", "23:59")]) == [])
        #expect(times([window("08:00", "09:00", days: [.tue])]) == ["00:00→23:59"])
        #expect(times([window("08:00", "09:00", days: [.tue])], .tue) == ["00:00→08:00", "09:00→23:59"])
    }

    @Test(
        "AR-031, C-15: a window's start is allowed, its end is blocked, and so is the minute before midnight",
        arguments: [
            ("11:59:59", true, "12:00:00"), ("12:00:00", false, "13:00:00"), ("12:59:59", false, "13:00:00"),
            ("13:00:00", true, "18:00:00"), ("23:59:30", true, "12:00:00"),
        ])
    func boundaries(_ clock: String, _ isBlocked: Bool, _ until: String) {
        let found = status(meals, "2026-11-20T\(clock)Z")
        #expect(found.isBlocked == isBlocked)
        let end = at("2026-11-20T\(until)Z")
        #expect(found.until == (clock > until ? end.addingTimeInterval(86_400) : end))
    }

    @Test("AR-018, AR-086, AR-090, C-14: never configured means open, saved as empty means blocked all day")
    func configured() {
        #expect(status(nil, "2026-11-20T12:00:00Z") == .init(isBlocked: false))
        #expect(status([], "2026-11-20T12:00:00Z") == .init(isBlocked: true))
        let noApps = AntiRot(restricted: AppSelection(), windows: [])
        #expect(
            !noApps.isConfigured
                && !noApps.status(at: at("2026-11-20T12:00:00Z"), in: .utc, except: []).isBlocked)
    }

    @Test("Windows that touch count as one; 2026-11-23 is a Monday")
    func touchingAndWeekly() {
        let touching = [window("12:00", "13:00"), window("13:00", "14:00"), window("14:01", "15:00")]
        #expect(status(touching, "2026-11-20T12:30:00Z").until == at("2026-11-20T14:00:00Z"))
        let monday = [window("08:00", "09:00", days: [.mon])]
        #expect(status(monday, "2026-11-23T09:00:00Z").until == at("2026-11-30T08:00:00Z"))
        #expect(
            status(monday, "2026-11-23T08:00:00Z")
                == .init(isBlocked: false, until: at("2026-11-23T09:00:00Z")))
        #expect(status(monday, "2026-11-24T08:30:00Z").isBlocked)
    }

    @Test(
        "A-14: on days of 23 and 25 hours",
        arguments: [
            // Berlin skips 02:00 to 03:00: a window within it does not open, one that reaches out of it does.
            ("02:15", "02:45", "2026-03-29T00:30:00Z", true, "2026-03-30T00:15:00Z"),
            ("02:15", "03:30", "2026-03-29T00:59:59Z", true, "2026-03-29T01:00:00Z"),
            ("02:15", "03:30", "2026-03-29T01:00:00Z", false, "2026-03-29T01:30:00Z"),
            ("01:00", "04:00", "2026-03-29T00:30:00Z", false, "2026-03-29T02:00:00Z"),
            // Berlin shows 02:00 to 03:00 twice: the first counts.
            ("01:30", "02:30", "2026-10-25T00:29:59Z", false, "2026-10-25T00:30:00Z"),
            ("01:30", "02:30", "2026-10-25T01:15:00Z", true, "2026-10-26T00:30:00Z"),
            ("01:30", "03:30", "2026-10-25T01:15:00Z", false, "2026-10-25T02:30:00Z"),
        ])
    func clockChanges(_ start: String, _ end: String, _ now: String, _ isBlocked: Bool, _ until: String) {
        let found = status([window(start, end)], now, "Europe/Berlin")
        #expect(found == .init(isBlocked: isBlocked, until: at(until)))
    }

    @Test("A weekly window that a gap swallows opens a week later")
    func swallowed() {
        let sunday = [window("02:15", "02:45", days: [.sun])]
        let found = status(sunday, "2026-03-22T02:00:00Z", "Europe/Berlin")
        #expect(found == .init(isBlocked: true, until: at("2026-04-05T00:15:00Z")))
    }

    @Test("A swallowed window between two that touch the gap leaves no gap")
    func acrossTheGap() {
        let around = [window("01:00", "02:15"), window("02:50", "04:00")]
        let found = status(around, "2026-03-29T00:30:00Z", "Europe/Berlin")
        #expect(found.until == at("2026-03-29T02:00:00Z"))
    }
}

extension AntiRot.Status {
    fileprivate init(isBlocked: Bool, until: Date? = nil) {
        self.init(isBlocked: isBlocked, until: until, overrideEnd: nil)
    }
}
