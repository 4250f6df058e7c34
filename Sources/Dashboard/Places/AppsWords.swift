import Foundation
import Pages
import Policy

/// What Anti-Rot and limits say of now, in a few words each.
enum AppsWords {
    /// `ALLOWED until 13:00`; `Nothing is blocked yet`.
    static func antiRot(_ person: Person, at now: Date, _ clock: ClockFace) -> String {
        guard person.antiRot.isConfigured else { return "Nothing is blocked yet" }
        let status = person.windowsStatus(at: now, in: clock.zone)
        let sets = person.antiRot.sets.filter(\.isConfigured)
        if sets.count > 1 {
            let blocked = sets.count { person.windowsStatus(of: $0, at: now, in: clock.zone).isBlocked }
            return "\(sets.count) sets, \(blocked) blocked now"
        }
        let until = status.until.map { clock.until($0, from: now) } ?? "all day"
        return "\(status.isBlocked ? "BLOCKED" : "ALLOWED") \(until)"
    }

    /// `TikTok 12 of 30 min · 2 more`: the limit that is nearest to its end. Without `showsUse` there are no minutes: only
    /// the person may see them.
    static func limits(_ states: [LimitState], showsUse: Bool, _ catalog: Catalog) -> String {
        guard showsUse, let state = states.max(by: { share($0) < share($1) }) else { return count(states) }
        let reached = state.isReached ? ", reached" : ""
        let more = states.count > 1 ? " · \(states.count - 1) more" : ""
        let name = state.limit.target.name(in: catalog)
        return "\(name) \(state.use.day) of \(state.allowance) min\(reached)\(more)"
    }

    /// `3 limits, 1 reached`; `No limits yet`.
    private static func count(_ states: [LimitState]) -> String {
        guard !states.isEmpty else { return "No limits yet" }
        let reached = states.count(where: \.isReached)
        return (states.count == 1 ? "1 limit" : "\(states.count) limits")
            + (reached > 0 ? ", \(reached) reached" : "")
    }

    private static func share(_ state: LimitState) -> Double {
        state.isReached ? 2 : Double(state.use.day) / Double(max(1, state.allowance))
    }
}
