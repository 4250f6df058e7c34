import Foundation

extension Person {
    /// Brings the Limits layer to `now`: probations that are over go (TH-029), what a new day or week gives back goes
    /// (TH-007), and what is newly reached is written down before it is applied (TH-027).
    mutating func settleLimits(at now: Date, in zone: CivilZone, usage: UsageTotals) {
        let day = limits.day(at: now, in: zone)
        let monday = day.date.adding(days: -day.date.weekday.order)
        let week = monday...monday.adding(days: 6)
        limits.probations.removeAll { !$0.isRunning(at: now) }
        if limits.unlocks?.day != day.date { limits.unlocks = nil }
        limits.extraTime.removeAll { !week.contains($0.day) }
        limits.requests.removeAll { !(day.start..<day.end).contains($0.askedAt) }
        settleReached(at: now, on: day, in: zone, usage: usage)
    }

    private mutating func settleReached(
        at now: Date, on day: LimitDay, in zone: CivilZone, usage: UsageTotals
    ) {
        let reached = limitStates(at: now, in: zone, usage: usage).filter(\.isReached)
        limits.reached = reached.map { state in
            let known = limits.reached.first { $0.target == state.limit.target }
            // What is used on after that is of no consequence, and not worth a write each minute.
            if let known, known.day == day.date { return known }
            return ReachedLimit(
                target: state.limit.target, day: day.date, use: state.use, since: known?.since ?? now)
        }
    }
}
