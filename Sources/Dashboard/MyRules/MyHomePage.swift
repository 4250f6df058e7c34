package import Foundation
import Pages
package import Policy

/// A child's own page, on their own device and without a login: what holds now, what is left today, and what they can
/// ask for. GET `/`; it posts to `/my-rules/ask`.
package struct MyHomePage: Page {
    package static let template = "my-home"

    /// A part of the day with a page of its own.
    struct Line: Sendable {
        let title: String
        let text: String
        let note: String?
        /// The page; nil for what has none.
        let path: String?
        /// A template in `Templates/`.
        let icon: String
    }

    package let title = "Today"
    /// The next instant at which something else holds.
    package let validUntil: Date?
    let name: String
    let lines: [Line]
    let limits: [LimitRow]
    let hasLimits: Bool
    let asking: Asking?
    /// Where an answer to the form leads back to.
    let from = "home"

    /// - Parameter validUntil: the verdict's.
    package init(
        person: Person, household: Household, catalog: Catalog, usage: UsageTotals,
        draft: AskDraft = AskDraft(),
        validUntil: Date? = nil, now: Date
    ) {
        let clock = ClockFace(zone: household.foundationZone)
        name = person.name
        self.validUntil = validUntil
        lines =
            [Self.bedtime(person, household, clock, now)] + Self.antiRot(person, catalog, clock, now)
            + [Self.focus(person, clock, now)]
        asking = Asking(person, in: household, catalog: catalog, usage: usage, draft: draft, clock, now)
        let day = person.limits.day(at: now, in: household.zone)
        let all = asking
        limits = person.limitStates(at: now, in: household.zone, usage: usage).map { state in
            LimitRow(
                state, extra: person.limits.extra(for: state.limit.target, on: day), catalog: catalog,
                clock: clock, now: now, showsUse: true, asking: all)
        }
        hasLimits = !limits.isEmpty
    }

    private static func bedtime(_ person: Person, _ household: Household, _ clock: ClockFace, _ now: Date)
        -> Line
    {
        let words = BedtimeWords(person, household, clock, now)
        return Line(title: "Bedtime", text: words.now, note: words.tonight, path: nil, icon: "icons/moon")
    }

    /// One for each set that blocks something.
    private static func antiRot(_ person: Person, _ catalog: Catalog, _ clock: ClockFace, _ now: Date)
        -> [Line]
    {
        person.antiRot.sets.filter(\.isConfigured).map { set in
            let status = person.windowsStatus(of: set, at: now, in: clock.zone)
            let until =
                status.until.map { " \(clock.until($0, from: now))" } ?? (status.isBlocked ? " all day" : "")
            return Line(
                title: set.names(in: catalog).capitalisedFirst,
                text: "\(status.isBlocked ? "Blocked" : "Open")\(until).", note: nil,
                path: SetPlace(set).base, icon: status.isBlocked ? "icons/blocked" : "icons/check")
        }
    }

    private static func focus(_ person: Person, _ clock: ClockFace, _ now: Date) -> Line {
        let dial = FocusDial(person.focus.timer, at: now, clock: clock)
        let text =
            switch dial.state {
            case "running": "\(dial.caption)."
            case "paused": "Paused, with \(dial.remaining) left."
            default: "Not running."
            }
        return Line(title: "Focus timer", text: text, note: nil, path: "/focus", icon: "icons/clock")
    }
}
