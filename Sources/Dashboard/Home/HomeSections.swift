package import Foundation
import Pages
package import Policy

/// The further sections of the house in a line each, with what holds there now (C-24).
package struct HomeSections: Sendable {
    /// `ALLOWED until 13:00`; `Nothing is blocked yet`.
    package let antiRot: String
    package let isBlocked: Bool
    /// `TikTok 12 of 30 min`, of the limit that is nearest; `No limits yet`.
    package let limits: String
    package let isReached: Bool

    package init(person: Person, limits states: [LimitState], catalog: Catalog, now: Date, zone: TimeZone) {
        let clock = ClockFace(zone: zone)
        let status = person.antiRot.status(at: now, in: clock.zone)
        let until = status.until.map { clock.until($0, from: now) } ?? "all day"
        isBlocked = status.isBlocked
        antiRot =
            person.antiRot.isConfigured
            ? "\(status.isBlocked ? "BLOCKED" : "ALLOWED") \(until)" : "Nothing is blocked yet"
        let nearest = states.max { Self.share($0) < Self.share($1) }
        isReached = nearest?.isReached ?? false
        limits = nearest.map { Self.words($0, among: states.count, catalog) } ?? "No limits yet"
    }

    private static func share(_ state: LimitState) -> Double {
        state.isReached ? 2 : Double(state.use.day) / Double(max(1, state.allowance))
    }

    private static func words(_ state: LimitState, among count: Int, _ catalog: Catalog) -> String {
        let name = state.limit.target.name(in: catalog)
        let reached = state.isReached ? ", reached" : ""
        let more = count > 1 ? " · \(count - 1) more" : ""
        return "\(name) \(state.use.day) of \(state.allowance) min\(reached)\(more)"
    }
}
