import Foundation

extension Person {
    /// What the Limits layer blocks at an instant, and when that can change without more use.
    struct LimitsHold {
        var blocks: [Block]
        var changes: Date?
    }

    /// `syncShields`: what is blocked, without exempt apps. The layer is computed only here.
    func limitsHold(at now: Date, in zone: CivilZone, usage: UsageTotals) -> LimitsHold {
        guard !limits.list.isEmpty else { return LimitsHold(blocks: [], changes: nil) }
        let day = limits.day(at: now, in: zone)
        let probations = limits.probations.filter { $0.isRunning(at: now) }
        let exempt = Set(probations.map(\.target))
        let since = Dictionary(
            limits.reached.map { ($0.target, $0.since) }, uniquingKeysWith: { first, _ in first })
        // An app's own limit comes before its category's: an unlock of it opens the app, and no more.
        let reached = limitStates(on: day, at: now, usage: usage)
            .filter { $0.isReached && !exempt.contains($0.limit.target) }
        let blocks = (reached.filter { $0.limit.target.isApp } + reached.filter { !$0.limit.target.isApp })
            .map { state in
                let target = state.limit.target
                return Block(
                    layer: .limits, scope: .only(target.selection), since: since[target] ?? now,
                    until: state.resetsAt, target: target,
                    exempt: target.apps(in: exempt).union(state.limit.leavesOut))
            }
        // Weeks, and weekdays with their own minutes, begin where a day ends.
        return LimitsHold(blocks: blocks, changes: (probations.map(\.expiresAt) + [day.end]).min())
    }
}

extension LimitTarget {
    /// The apps on probation that may belong to this target: an app is exempt from every limit that covers it.
    fileprivate func apps(in exempt: Set<LimitTarget>) -> Set<String> {
        guard case .category = self else { return [] }
        return Set(exempt.compactMap { if case .app(let id) = $0 { id } else { nil } })
    }
}
