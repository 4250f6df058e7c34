package import Foundation

/// A limit with its use as of one instant, for pages, programs and the verdict.
package struct LimitState: Hashable, Sendable {
    package var limit: UsageLimit
    package var use: TargetUse
    /// Today's minutes, granted ones included.
    package var allowance: Int
    /// This week's minutes, if there is a weekly budget.
    package var weeklyAllowance: Int?
    /// When it resets if it is reached, else when the day ends.
    package var resetsAt: Date
    package var isReached: Bool
    /// Whether an exception for today's date lifts it; its minutes are counted and block nothing.
    package var isLifted = false
    /// When the last probation for it ends; nil if none runs.
    package var probationEndsAt: Date?

    /// Whether a use takes all of today's minutes.
    func isDayOver(with use: TargetUse) -> Bool { use.day >= allowance }

    /// Whether a use takes all of this week's minutes; false without a weekly budget.
    func isWeekOver(with use: TargetUse) -> Bool { weeklyAllowance.map { use.week >= $0 } ?? false }

    /// How many minutes the use is past the day's or the week's, the larger of the two; 0 if it is not.
    var minutesOver: Int { max(use.day - allowance, weeklyAllowance.map { use.week - $0 } ?? 0, 0) }
}

extension Person {
    /// Every limit as of `now`, in their order. The use is the larger of the counted one and the one noted when the
    /// limit was reached.
    package func limitStates(at now: Date, in zone: CivilZone, usage: UsageTotals = .none) -> [LimitState] {
        limits.list.isEmpty ? [] : limitStates(on: limits.day(at: now, in: zone), at: now, usage: usage)
    }

    func limitStates(on day: LimitDay, at now: Date, usage: UsageTotals) -> [LimitState] {
        let books = LimitBooks(limits, on: day, at: now)
        let counted = usage[id]
        let weekday = dateExceptions.weekday(on: day.date)
        return limits.list.map { limit in
            var state = LimitState(
                limit: limit, use: books.use(of: limit.target, counted: counted[limit.target] ?? TargetUse()),
                allowance: limit.minutes(on: weekday ?? day.date.weekday) + (books.today[limit.target] ?? 0),
                weeklyAllowance: limit.weeklyMinutes.map { $0 + (books.thisWeek[limit.target] ?? 0) },
                resetsAt: day.end, isReached: false, probationEndsAt: books.probationEnds[limit.target])
            let isWeekOver = state.isWeekOver(with: state.use)
            state.isLifted = weekday == nil
            state.isReached = !state.isLifted && (state.isDayOver(with: state.use) || isWeekOver)
            if isWeekOver, state.isReached { state.resetsAt = day.weekEnd }
            return state
        }
    }
}

/// A person's records about limits by target: read once, not once for each limit.
private struct LimitBooks {
    /// Minutes granted today.
    private(set) var today: [LimitTarget: Int] = [:]
    /// Minutes granted this week.
    private(set) var thisWeek: [LimitTarget: Int] = [:]
    private(set) var probationEnds: [LimitTarget: Date] = [:]
    private var known: [LimitTarget: TargetUse] = [:]

    init(_ limits: Limits, on day: LimitDay, at now: Date) {
        let week = day.week
        for extra in limits.extraTime where week.contains(extra.day) {
            thisWeek[extra.target, default: 0] += extra.minutes
            if extra.day == day.date { today[extra.target, default: 0] += extra.minutes }
        }
        for probation in limits.probations where probation.isRunning(at: now) {
            probationEnds[probation.target] = max(
                probationEnds[probation.target] ?? probation.expiresAt, probation.expiresAt)
        }
        for entry in limits.reached where entry.day >= week.lowerBound && entry.day <= day.date {
            var use = known[entry.target] ?? TargetUse()
            if entry.day == day.date { use.day = max(use.day, entry.use.day) }
            use.week = max(use.week, entry.use.week)
            known[entry.target] = use
        }
    }

    func use(of target: LimitTarget, counted: TargetUse) -> TargetUse {
        guard let known = known[target] else { return counted }
        return TargetUse(day: max(counted.day, known.day), week: max(counted.week, known.week))
    }
}
