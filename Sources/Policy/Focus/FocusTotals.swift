/// The focus time of a day or a week, for the chart.
package struct FocusTotal: Hashable, Sendable {
    /// The day, or the week's Monday.
    package var date: CivilDate
    package var seconds: Int
    package var sessions: Int
    /// How many of its sessions came to 0.
    package var completed: Int

    package init(date: CivilDate, seconds: Int, sessions: Int, completed: Int) {
        self.date = date
        self.seconds = seconds
        self.sessions = sessions
        self.completed = completed
    }
}

/// Sums over the history. A session counts on the day on which it started, in the household's calendar.
package enum FocusTotals {
    /// The last `count` days up to a day, oldest first, days without sessions included.
    package static func days(
        _ sessions: [FocusSession], upTo last: CivilDate, count: Int, in zone: CivilZone
    ) -> [FocusTotal] {
        let found = totals(sessions) { zone.date(of: $0.start) }
        return (0..<max(0, count)).reversed().map { ago in
            let date = last.adding(days: -ago)
            return found[date] ?? FocusTotal(date: date, seconds: 0, sessions: 0, completed: 0)
        }
    }

    /// The last `count` weeks, Monday to Sunday, up to the week of a day; oldest first.
    package static func weeks(
        _ sessions: [FocusSession], upTo last: CivilDate, count: Int, in zone: CivilZone
    ) -> [FocusTotal] {
        let found = totals(sessions) { monday(of: zone.date(of: $0.start)) }
        return (0..<max(0, count)).reversed().map { ago in
            let date = monday(of: last).adding(days: -7 * ago)
            return found[date] ?? FocusTotal(date: date, seconds: 0, sessions: 0, completed: 0)
        }
    }

    private static func monday(of date: CivilDate) -> CivilDate { date.adding(days: -date.weekday.order) }

    private static func totals(
        _ sessions: [FocusSession], by date: (FocusSession) -> CivilDate
    ) -> [CivilDate: FocusTotal] {
        sessions.reduce(into: [:]) { totals, session in
            let date = date(session)
            var total = totals[date] ?? FocusTotal(date: date, seconds: 0, sessions: 0, completed: 0)
            total.seconds += session.durationSeconds
            total.sessions += 1
            total.completed += session.completed ? 1 : 0
            totals[date] = total
        }
    }
}
