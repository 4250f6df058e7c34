package import Foundation
import Pages
package import Policy

/// The further sections, with their state in a line each (C-24).
package struct HomeSections: Sendable {
    /// `ALLOWED until 13:00`; `Nothing is blocked yet`.
    package let antiRot: String
    package let isBlocked: Bool
    /// `TikTok 12 of 30 min`, of the limit that is nearest to its end; `No limits yet`.
    package let limits: String
    package let isReached: Bool
    /// `Ends at 14:35`; `25m`, while nothing runs.
    package let focus: String
    /// Discipline Dungeon, without minutes, which only its person may see.
    package let verified: String

    /// Without `showsUse`, the limits' line has no minutes: only the person may see them.
    package init(
        person: Person, limits states: [LimitState], showsUse: Bool = true, catalog: Catalog, now: Date,
        zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        let status = person.antiRot.status(at: now, in: clock.zone)
        let until = status.until.map { clock.until($0, from: now) } ?? "all day"
        isBlocked = status.isBlocked
        antiRot =
            person.antiRot.isConfigured
            ? "\(status.isBlocked ? "BLOCKED" : "ALLOWED") \(until)" : "Nothing is blocked yet"
        focus = Self.words(person.focus.timer, at: now, clock)
        let nearest = states.max { Self.share($0) < Self.share($1) }
        verified =
            person.verified.productive?.isEmpty == false
            ? "Time well spent yesterday" : "Nothing is productive yet"
        isReached = nearest?.isReached ?? false
        limits =
            nearest.map {
                showsUse ? Self.words($0, among: states.count, catalog) : Self.words(states)
            } ?? "No limits yet"
    }

    /// `3 limits, 1 reached`.
    private static func words(_ states: [LimitState]) -> String {
        let reached = states.count(where: \.isReached)
        return (states.count == 1 ? "1 limit" : "\(states.count) limits")
            + (reached > 0 ? ", \(reached) reached" : "")
    }

    private static func words(_ timer: FocusTimer, at now: Date, _ clock: ClockFace) -> String {
        if let end = timer.endsAt { return "Ends at \(clock.time(end))" }
        return timer.isPaused
            ? "Paused, \(Countdown.text(seconds: timer.remaining(at: now))) left"
            : "\(timer.presetLabel), ready"
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
