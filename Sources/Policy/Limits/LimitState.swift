package import Foundation

/// A limit beside what was used of it, as of one instant: what pages, programs and the verdict see.
package struct LimitState: Hashable, Sendable {
    package var limit: UsageLimit
    package var use: TargetUse
    /// Today's minutes with what was granted on top.
    package var allowance: Int
    /// This week's, where there is a budget.
    package var weeklyAllowance: Int?
    /// When it resets if it is reached, else when the day ends.
    package var resetsAt: Date
    package var isReached: Bool
    /// When the last probation that lifts it ends; nil: none runs.
    package var probationEndsAt: Date?
}

extension Person {
    /// Every limit as of `now`, in their order. The use is the larger of what was counted and what was known to be
    /// used when the limit was reached (TH-027).
    package func limitStates(at now: Date, in zone: CivilZone, usage: UsageTotals = .none) -> [LimitState] {
        let day = limits.day(at: now, in: zone)
        return limits.list.map { limit in
            let use = limits.use(of: limit.target, on: day, in: zone, counted: usage[id, limit.target])
            let extra = limits.extraTime.filter { $0.target == limit.target }
            let allowance =
                limit.minutes(on: day.date.weekday)
                + extra.filter { $0.day == day.date }.map(\.minutes).reduce(0, +)
            let weekly = limit.weeklyMinutes.map { $0 + extra.map(\.minutes).reduce(0, +) }
            let isWeekOver = weekly.map { use.week >= $0 } ?? false
            return LimitState(
                limit: limit, use: use, allowance: allowance, weeklyAllowance: weekly,
                resetsAt: isWeekOver ? day.weekEnd : day.end,
                isReached: use.day >= allowance || isWeekOver,
                probationEndsAt: limits.probations.filter {
                    $0.target == limit.target && $0.isRunning(at: now)
                }
                .map(\.expiresAt).max())
        }
    }
}

extension Limits {
    fileprivate func use(
        of target: LimitTarget, on day: LimitDay, in zone: CivilZone, counted: TargetUse
    ) -> TargetUse {
        var use = counted
        for entry in reached where entry.target == target {
            if entry.day == day.date { use.day = max(use.day, entry.use.day) }
            let monday = day.date.adding(days: -day.date.weekday.order)
            if entry.day >= monday, entry.day <= day.date { use.week = max(use.week, entry.use.week) }
        }
        return use
    }
}
