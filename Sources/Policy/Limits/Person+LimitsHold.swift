import Foundation

extension Person {
    /// What the Limits layer holds back at an instant, and when that can change without more use.
    struct LimitsHold {
        var blocks: [Block]
        var changes: Date?
    }

    /// `syncShields` (TH-010): what is blocked, less what is exempt. The one place where the layer is computed.
    func limitsHold(at now: Date, in zone: CivilZone, usage: UsageTotals) -> LimitsHold {
        guard !limits.list.isEmpty else { return LimitsHold(blocks: [], changes: nil) }
        let probations = limits.probations.filter { $0.isRunning(at: now) }
        let exempt = Set(probations.map(\.target))
        let exemptApps = Set(
            exempt.compactMap { target in
                if case .app(let id) = target { id } else { nil }
            })
        let blocks = limitStates(at: now, in: zone, usage: usage)
            .filter { $0.isReached && !exempt.contains($0.limit.target) }
            .map { state in
                let known = limits.reached.first { $0.target == state.limit.target }
                return Block(
                    layer: .limits, scope: .only(state.limit.target.selection), since: known?.since ?? now,
                    until: state.resetsAt, target: state.limit.target, exempt: exemptApps)
            }
        let ends = probations.map(\.expiresAt) + [limits.day(at: now, in: zone).end]
        return LimitsHold(blocks: blocks, changes: ends.min())
    }
}
