import Foundation

extension Person {
    /// Brings the Limits layer to `now`: removes probations that are over and questions about limits that are
    /// gone, and writes newly reached limits down before they apply.
    mutating func settleLimits(at now: Date, in zone: CivilZone, usage: UsageTotals) {
        guard limits.isInUse else { return }
        let day = limits.day(at: now, in: zone)
        limits.probations = limits.probations.compactMap { $0.settled(at: now) }
        let limited = Set(limits.list.map(\.target))
        limits.requests.removeAll { $0.answer == .open && !limited.contains($0.target) }
        settleReached(at: now, on: day, usage: usage)
    }

    private mutating func settleReached(at now: Date, on day: LimitDay, usage: UsageTotals) {
        let known = Dictionary(
            limits.reached.map { ($0.target, $0) }, uniquingKeysWith: { first, _ in first })
        let reached = limitStates(on: day, at: now, usage: usage).filter(\.isReached)
        limits.reached = reached.map { state in
            let fresh = ReachedLimit(target: state.limit.target, day: day.date, use: state.use, since: now)
            guard let old = known[state.limit.target] else { return fresh }
            // Later use is not worth a write each minute, unless a limit was raised above the noted use.
            if old.day == day.date, state.isDayOver(with: old.use) == state.isDayOver(with: state.use),
                state.isWeekOver(with: old.use) == state.isWeekOver(with: state.use)
            {
                return old
            }
            let goesOn =
                old.day == day.date || (day.week.contains(old.day) && state.isWeekOver(with: old.use))
            return ReachedLimit(
                target: old.target, day: day.date, use: state.use, since: goesOn ? old.since : now)
        }
    }
}

extension Limits {
    /// Whether there is anything that time can change.
    fileprivate var isInUse: Bool {
        !(list.isEmpty && probations.isEmpty && reached.isEmpty && extraTime.isEmpty && requests.isEmpty)
    }
}
