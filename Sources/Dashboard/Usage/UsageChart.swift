import Pages
import Policy

/// A bar chart as numbers for a template. Lengths are percentages of the drawing, which stretches; its text keeps the
/// reader's size.
struct UsageChart {
    struct Bar {
        let x: Double
        let y: Double
        let height: Double
        let labelX: Double
        /// Under the bar; nil if there is no room for it.
        let label: String?
        /// Whether the page is about this bar: it is outlined, not only coloured.
        let isChosen: Bool
    }

    struct Line {
        let y: Int
        let text: String
    }

    /// A row of the table with the same values.
    struct Row {
        let name: String
        let value: String
    }

    let barWidth: Double
    let bars: [Bar]
    let lines: [Line]
    let rows: [Row]
    /// The whole chart in one sentence, for people who cannot see it.
    let summary: String

    struct Value {
        let name: String
        let label: String?
        let minutes: Int
        let isChosen: Bool
    }

    /// A bar is `barWidth` of every `step` wide.
    init(_ values: [Value], step: Int, barWidth: Int, summary: String) {
        let top = Self.ceiling(values.map(\.minutes).max() ?? 0)
        let share = 100 / Double(max(1, values.count))
        let width = share * Double(barWidth) / Double(step)
        self.barWidth = width.hundredths
        self.summary = summary
        bars = values.enumerated().map { index, value in
            let middle = (Double(index) + 0.5) * share
            // One minute is visible, even beside high bars.
            let height = value.minutes == 0 ? 0 : max(2.5, Double(value.minutes * 100) / Double(top))
            return Bar(
                x: (middle - width / 2).hundredths, y: (100 - height).hundredths, height: height.hundredths,
                labelX: middle.hundredths, label: value.label, isChosen: value.isChosen)
        }
        lines = [Line(y: 0, text: top.minutesText), Line(y: 50, text: (top / 2).minutesText)]
        rows = values.map { Row(name: $0.name, value: $0.minutes.minutesText) }
    }

    /// The round number of minutes at the top of the chart.
    static func ceiling(_ minutes: Int) -> Int {
        [10, 20, 30, 60, 120, 180, 240, 360, 480, 720, 960, 1_440].first { minutes <= $0 }
            ?? (minutes + 1_439) / 1_440 * 1_440
    }

    /// A day, by hours.
    static func hours(of report: UsageReport, on name: String) -> UsageChart {
        let values = report.hours.enumerated().map { hour, minutes in
            Value(
                name: time(hour),
                label: hour % 6 == 0 ? ClockFace.style.axisText(hour: hour) : nil, minutes: minutes,
                isChosen: false)
        }
        let most = report.hours.enumerated().max { $0.element < $1.element }
        let peak = most.map {
            $0.element == 0 ? "" : " Most between \(time($0.offset)) and \(time($0.offset + 1))."
        }
        return UsageChart(
            values, step: 13, barWidth: 9,
            summary: "Minutes by hour, \(name): \(report.hours.reduce(0, +).minutesText).\(peak ?? "")")
    }

    /// A full hour, from 0 to 24.
    private static func time(_ hour: Int) -> String {
        hour == 24 ? ClockFace.style.endOfDay : TimeOfDay(hour: hour, minute: 0).text
    }

    /// Four weeks, by days.
    static func days(of report: UsageReport) -> UsageChart {
        let values = report.days.map { day in
            Value(
                name: day.date.short, label: day.date.weekday == .mon ? "\(day.date.day)" : nil,
                minutes: day.minutes, isChosen: day.date == report.date)
        }
        let used = report.days.filter { $0.minutes > 0 }
        let average = used.isEmpty ? 0 : used.map(\.minutes).reduce(0, +) / used.count
        return UsageChart(
            values, step: 11, barWidth: 8,
            summary: "Minutes by day over four weeks; \(average.minutesText) on an average day with use.")
    }
}

extension Double {
    /// Two decimals, which are finer than a screen.
    fileprivate var hundredths: Double { (self * 100).rounded() / 100 }
}

extension CivilDate {
    /// `Sat 21 Nov`.
    var short: String { "\(weekday.short) \(day) \(Self.months[month - 1].prefix(3))" }

    /// `Saturday, 21 November`.
    var long: String { "\(weekday.displayName), \(day) \(Self.months[month - 1])" }

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ]
}
