import Policy

extension UsageChart {
    /// Minutes of focus by day, for two weeks.
    static func focusDays(_ totals: [FocusTotal], today: CivilDate) -> UsageChart {
        let values = totals.map { total in
            Value(
                name: total.date.short, label: total.date.weekday.letterAndDay(total.date.day),
                minutes: total.seconds.wholeMinutes, isChosen: total.date == today)
        }
        return UsageChart(
            values, step: 25, barWidth: 15, summary: summary(totals, of: "day", among: "14 days"))
    }

    /// Minutes of focus by week, for twelve weeks.
    static func focusWeeks(_ totals: [FocusTotal], today: CivilDate) -> UsageChart {
        let values = totals.enumerated().map { index, total in
            Value(
                name: "Week of \(total.date.short)",
                label: index % 2 == 1 ? "\(total.date.dayAndMonth)" : nil,
                minutes: total.seconds.wholeMinutes, isChosen: index == totals.count - 1)
        }
        return UsageChart(
            values, step: 29, barWidth: 17, summary: summary(totals, of: "week", among: "12 weeks"))
    }

    private static func summary(_ totals: [FocusTotal], of unit: String, among span: String) -> String {
        let used = totals.filter { $0.seconds > 0 }
        let sum = totals.map(\.seconds).reduce(0, +)
        guard !used.isEmpty else { return "Focus by \(unit): nothing in \(span)." }
        return
            "Focus by \(unit): \(sum.focusText) in \(span), \((sum / used.count).focusText) on average in each \(unit) with a session."
    }
}

extension Int {
    /// Seconds as whole minutes, but at least 1 unless they are 0, so that the bar is visible.
    fileprivate var wholeMinutes: Int { self == 0 ? 0 : Swift.max(1, self / 60) }
}

extension CivilDate {
    /// `21 Nov`.
    fileprivate var dayAndMonth: String { String(short.dropFirst(4)) }
}

extension Weekday {
    /// `21` under each Monday, else the day's first letter.
    fileprivate func letterAndDay(_ day: Int) -> String { self == .mon ? "\(day)" : String(short.prefix(1)) }
}
