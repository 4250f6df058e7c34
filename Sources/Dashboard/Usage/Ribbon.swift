import Foundation
package import Pages
package import Policy

/// A day's ribbon as numbers for a template: a drawing of its 23, 24 or 25 hours, and a table of the same values.
///
/// Lengths are percentages of the drawing. Each kind has its own height in it, so that colour is not needed to tell
/// them apart.
package struct Ribbon: Sendable {
    struct Part {
        let kind: String
        let x: Double
        let width: Double
        let y: Int
        let height: Int
    }

    struct Mark {
        let x: Double
    }

    struct Hour {
        let x: Double
        /// `06`
        let text: String
        /// SVG's `text-anchor`: the first and the last stay inside.
        let anchor: String
    }

    /// A row of the table, and the key of the drawing.
    struct Row {
        let kind: String
        let name: String
        /// `22:00–24:00 and 3 more`
        let times: String
        /// `2h`; for limits, how many.
        let total: String
    }

    let parts: [Part]
    let marks: [Mark]
    let hours: [Hour]
    let rows: [Row]
    let isEmpty: Bool
    /// The ribbon in one sentence, for people who cannot see it.
    let summary: String

    /// `lacksWindows`: the day had open hours, and nobody knows which: old settings are not kept.
    package init(_ day: DayRhythm, catalog: Catalog, clock: ClockFace, lacksWindows: Bool = false) {
        func share(_ minutes: Int) -> Double {
            (Double(minutes) * 10_000 / Double(day.length)).rounded() / 100
        }
        parts = DayRhythm.Kind.drawn.flatMap { kind, y, height in
            day[kind].map { span in
                // A single minute is visible.
                let width = max(0.4, share(span.upperBound) - share(span.lowerBound))
                return Part(
                    kind: kind.rawValue, x: min(share(span.lowerBound), 100 - width),
                    width: (width * 100).rounded() / 100, y: y, height: height)
            }
        }
        marks = day.reached.map { Mark(x: share($0.minute)) }
        hours =
            [0, 6, 12, 18].map { hour in
                let at = clock.zone.instant(of: day.date, at: TimeOfDay(hour: hour, minute: 0))
                let minute = Int(at.timeIntervalSince(day.start)) / 60
                return Hour(
                    x: share(minute), text: ClockFace.style.axisText(hour: hour),
                    anchor: hour == 0 ? "start" : "middle")
            } + [Hour(x: 100, text: ClockFace.style.axisText(hour: 24), anchor: "end")]
        let known = Self.rows(day, catalog, clock)
        isEmpty = day.isEmpty
        summary =
            known.isEmpty
            ? "Nothing happened on this day yet."
            : "The day in \(day.length / 60) hours. "
                + known.map { "\($0.name): \($0.total)." }.joined(separator: " ")
        let unknown = Row(
            kind: DayRhythm.Kind.windows.rawValue, name: DayRhythm.Kind.windows.name,
            times: "Not kept for past days", total: "")
        rows = known + (lacksWindows ? [unknown] : [])
    }

    private static func rows(_ day: DayRhythm, _ catalog: Catalog, _ clock: ClockFace) -> [Row] {
        func time(_ minute: Int) -> String {
            minute == day.length
                ? ClockFace.style.endOfDay : clock.time(day.start.addingTimeInterval(Double(minute) * 60))
        }
        let spans: [Row] = DayRhythm.Kind.drawn.compactMap { kind, _, _ in
            guard !day[kind].isEmpty else { return nil }
            let texts = day[kind].map { "\(time($0.lowerBound))–\(time($0.upperBound))" }
            return Row(
                kind: kind.rawValue, name: kind.name, times: Self.list(texts),
                total: day.total(kind).minutesText)
        }
        guard !day.reached.isEmpty else { return spans }
        let texts = day.reached.map { "\($0.target.name(in: catalog)) at \(time($0.minute))" }
        return spans + [
            Row(kind: "reached", name: "Limits reached", times: list(texts), total: "\(texts.count)")
        ]
    }

    /// The first three, and how many more.
    private static func list(_ texts: [String]) -> String {
        texts.prefix(3).joined(separator: ", ") + (texts.count > 3 ? " and \(texts.count - 3) more" : "")
    }
}

extension DayRhythm.Kind {
    /// The drawn kinds in their order, each with its place in percent of the height: nights behind everything, the rest
    /// one below the other.
    fileprivate static let drawn: [(kind: Self, y: Int, height: Int)] = [
        (.sleep, 0, 100), (.bedtime, 0, 100), (.windows, 10, 12), (.focus, 32, 20), (.use, 62, 28),
    ]

    fileprivate var name: String {
        switch self {
        case .sleep: "Sleep"
        case .bedtime: "Bedtime to come"
        case .windows: "Open hours"
        case .focus: "Focus"
        case .use: "App use"
        }
    }
}
