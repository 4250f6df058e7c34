package import Foundation

/// When windows open and close in a zone, by wall-clock time. A window that falls into a gap does not open, and
/// a window that a fold repeats opens once.
package struct AllowedWindows: Sendable {
    package enum State: Hashable, Sendable {
        /// When the open window closes, together with those that follow without a gap.
        case open(until: Date)
        /// When the next window opens; nil if none ever does.
        case closed(until: Date?)
    }

    /// In order of start.
    private let windows: [TimeWindow]
    private let zone: CivilZone
    private let exceptions: [DateException]

    package init(_ windows: [TimeWindow], in zone: CivilZone, except exceptions: [DateException]) {
        self.windows = TimeWindow.inOrder(windows)
        self.zone = zone
        self.exceptions = exceptions
    }

    /// A window includes its start and excludes its end.
    package func state(at instant: Date) -> State {
        var end: Date?
        let today = zone.date(of: instant)
        // Yesterday's windows are over: the wall shows today.
        for days in 0...horizon where !isEmpty {
            for span in spans(on: today.adding(days: days)) where span.upperBound > instant {
                guard span.lowerBound <= end ?? instant else {
                    return end.map(State.open) ?? .closed(until: span.lowerBound)
                }
                end = max(end ?? span.upperBound, span.upperBound)
            }
        }
        return end.map(State.open) ?? .closed(until: nil)
    }

    /// When the last window closed; nil if none did for weeks.
    package func lastClosing(before instant: Date) -> Date? {
        let today = zone.date(of: instant)
        // If midnight comes twice, tomorrow's 00:00 has already happened today.
        let latest = zone.dayStart(today.adding(days: 1)) <= instant ? -1 : 0
        for days in latest...horizon where !isEmpty {
            var last: Date?
            for span in spans(on: today.adding(days: -days)) where span.upperBound <= instant {
                last = max(last ?? span.upperBound, span.upperBound)
            }
            if let last { return last }
        }
        return nil
    }

    /// In days. Gaps may swallow a window on one weekday three weeks in a row.
    private var horizon: Int { 28 + exceptions.reach }

    /// Whether nothing is ever open.
    private var isEmpty: Bool { windows.isEmpty && exceptions.isEmpty }

    /// A date's windows; those that a gap swallows are left out. A date on which no windows hold is open as a whole.
    package func spans(on date: CivilDate) -> [Range<Date>] {
        guard let weekday = exceptions.weekday(on: date) else {
            let (start, end) = (zone.dayStart(date), zone.dayStart(date.adding(days: 1)))
            return start < end ? [start..<end] : []
        }
        var clock: CivilDay?
        var spans: [Range<Date>] = []
        for window in windows where window.days.contains(weekday) {
            let day = clock ?? zone.clock(on: date)
            clock = day
            let start = day.instant(at: window.start)
            let end = day.instant(at: window.end)
            if start < end { spans.append(start..<end) }
        }
        return spans
    }
}
