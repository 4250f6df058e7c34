package import Foundation
import Pages
package import Policy

/// The place Apps: what is allowed at night, Anti-Rot and limits, with their state in a line each.
package struct AppsPage: Page {
    package static let template = "apps"

    package let title = "Apps"
    let ways: [Way]

    /// Without `showsUse`, the limits' line has no minutes: only the person may see them.
    package init(
        person: Person, limits: [LimitState], showsUse: Bool = true, catalog: Catalog, now: Date,
        zone: TimeZone
    ) {
        ways = [
            Way("/allowed-apps", "Allowed Apps", "What stays open at night", icon: "shield-check"),
            Way(
                "/anti-rot", "Anti-Rot", Self.words(person, at: now, ClockFace(zone: zone)),
                icon: "meal"),
            Way(
                "/limits", "Limits", showsUse ? Self.nearest(limits, catalog) : Self.count(limits),
                icon: "hourglass"),
            Way("/suggestions", "Suggestions", "What to do instead", icon: "check"),
            Way("/just-blocked", "Just blocked", "In the last 10 minutes", icon: "blocked"),
        ]
    }

    /// `ALLOWED until 13:00`; `Nothing is blocked yet`.
    private static func words(_ person: Person, at now: Date, _ clock: ClockFace) -> String {
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

    /// `TikTok 12 of 30 min · 2 more`: the limit that is nearest to its end.
    private static func nearest(_ states: [LimitState], _ catalog: Catalog) -> String {
        guard let state = states.max(by: { share($0) < share($1) }) else { return count(states) }
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
