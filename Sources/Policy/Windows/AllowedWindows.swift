package import Foundation

/// When windows open and close in a zone, by wall-clock time. A window that ends after midnight belongs to the date on
/// which it begins. A window that falls into a gap does not open, and a window that a fold repeats opens once.
package struct AllowedWindows: Sendable {
    package enum State: Hashable, Sendable {
        /// When the open window closes, together with those that follow without a gap; nil if one always follows.
        case open(until: Date?)
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
        // A window may have begun yesterday.
        for days in -1...horizon where !isEmpty {
            for span in spans(on: today.adding(days: days)) where span.upperBound > instant {
                guard span.lowerBound <= end ?? instant else {
                    return end.map(State.open) ?? .closed(until: span.lowerBound)
                }
                end = max(end ?? span.upperBound, span.upperBound)
            }
        }
        guard let end else { return .closed(until: nil) }
        return .open(until: end < zone.dayStart(today.adding(days: horizon)) ? end : nil)
    }

    /// When the last window closed; nil if none did for weeks.
    package func lastClosing(before instant: Date) -> Date? {
        let today = zone.date(of: instant)
        // If midnight comes twice, tomorrow's 00:00 has already happened today.
        let latest = zone.dayStart(today.adding(days: 1)) <= instant ? -1 : 0
        for days in latest...horizon where !isEmpty {
            let date = today.adding(days: -days)
            guard let last = lastEnd(on: date, by: instant) else { continue }
            // A window of the date before may end later.
            return max(last, lastEnd(on: date.adding(days: -1), by: instant) ?? last)
        }
        return nil
    }

    private func lastEnd(on date: CivilDate, by instant: Date) -> Date? {
        spans(on: date).map(\.upperBound).filter { $0 <= instant }.max()
    }

    /// In days. Gaps may swallow a window on one weekday three weeks in a row.
    private var horizon: Int { 28 + exceptions.reach }

    /// Whether nothing is ever open.
    private var isEmpty: Bool { windows.isEmpty && exceptions.isEmpty }

    /// The windows that begin on a date; those that a gap swallows are left out. A date on which no windows hold is open
    /// as a whole.
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
            if let span = day.span(from: window.start, to: window.end) { spans.append(span) }
        }
        return spans
    }
}
