package import Foundation

/// When windows open and close in a zone. They are read off the wall: one that a gap swallows does not open.
package struct AllowedWindows: Sendable {
    private let windows: [TimeWindow]
    private let zone: CivilZone

    package init(_ windows: [TimeWindow], in zone: CivilZone) {
        self.windows = windows.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        self.zone = zone
    }

    /// When the window that is open closes, and those that follow it without a gap; nil: none is open.
    package func openUntil(at instant: Date) -> Date? {
        var end: Date?
        for span in spans(around: instant, days: -1...8) where span.lowerBound <= end ?? instant {
            if span.upperBound > end ?? instant { end = span.upperBound }
        }
        return end
    }

    /// When the next window opens that is not open yet; nil: none ever does.
    package func nextOpening(after instant: Date) -> Date? {
        spans(around: instant, days: 0...8).first { $0.lowerBound > instant }?.lowerBound
    }

    /// When the last window closed; nil: none did within a week.
    package func lastClosing(before instant: Date) -> Date? {
        spans(around: instant, days: -8...0).map(\.upperBound).filter { $0 <= instant }.max()
    }

    /// The next instant at which a window opens or closes.
    package func nextChange(after instant: Date) -> Date? {
        spans(around: instant, days: -1...8).flatMap { [$0.lowerBound, $0.upperBound] }
            .filter { $0 > instant }.min()
    }

    private func spans(around instant: Date, days: ClosedRange<Int>) -> [Range<Date>] {
        let today = zone.date(of: instant)
        return days.map(today.adding(days:)).flatMap { date in
            windows.filter { $0.days.contains(date.weekday) }.compactMap { window in
                let start = zone.instant(of: date, at: window.start)
                let end = zone.instant(of: date, at: window.end)
                return start < end ? start..<end : nil
            }
        }
    }
}
