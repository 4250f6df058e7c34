package import Foundation
import Pages
package import Policy

/// Anti-Rot's Home: whether the chosen apps are open, until when, and the day's one override.
///
/// POST `/anti-rot/override`; POST `/anti-rot/changes/{id}/drop`; POST `/devices/enroll`.
package struct AntiRotHomePage: Page {
    package static let template = "anti-rot"

    /// The button's three states.
    struct Meal {
        let isReady: Bool
        let isUsed: Bool
        /// `45:00`, while one runs.
        let remaining: String?
        /// Whole minutes, rounded up.
        let minutes: Int
        let endsAt: String?
    }

    package let title = "Anti-Rot"
    let tab = AntiRotTab.home
    package let isBlocked: Bool
    /// `until 18:00`, or `all day`; nil if nothing will change by itself.
    package let until: String?
    package let untilInstant: String?
    /// `3 apps selected`.
    package let count: String
    /// `Dinner 18:00–19:00`: the window that is open, or the next one to open.
    package let window: String?
    let meal: Meal
    let day: DayBar?
    /// With several sets each says how it is; the first one is among them if it is used.
    let sets: [SetRow]
    let hasSets: Bool
    let place: SetPlace
    /// False until apps and a schedule are chosen; nothing is blocked before.
    package let isConfigured: Bool
    package let hasApps: Bool
    package let hasSchedule: Bool
    let waiting: [WaitingChange]
    package let offersEnrolling: Bool
    /// The page then says that the sleep session goes on, even if apps are open here.
    package let isAsleep: Bool

    package init(
        person: Person, catalog: Catalog, isEnrolled: Bool, isAsleep: Bool, now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        let antiRot = person.antiRot
        let status = person.windowsStatus(at: now, in: clock.zone)
        isBlocked = status.isBlocked
        isConfigured = antiRot.isConfigured
        until = status.until.map { clock.until($0, from: now) } ?? (status.isBlocked ? "all day" : nil)
        untilInstant = status.until.map(ClockFace.iso)
        count = antiRot.first.chosen.countWords
        let opens = status.isBlocked ? status.until : status.overrideEnd == nil ? now : nil
        window =
            antiRot.isConfigured
            ? opens.flatMap { person.openWindow(of: antiRot.first, at: $0, in: clock.zone)?.words } : nil
        meal = Self.meal(antiRot.override, end: status.overrideEnd, clock: clock, now: now)
        hasSets = !antiRot.otherSets.isEmpty
        sets = hasSets ? SetRow.all(of: person, in: catalog, clock: clock, now: now) : []
        place = SetPlace(antiRot.first)
        day =
            antiRot.isConfigured && !hasSets
            ? DayBar(person, antiRot.first, at: now, clock: clock) : nil
        hasApps = !(antiRot.restricted?.isEmpty ?? true)
        hasSchedule = antiRot.windows != nil
        waiting = WaitingChange.all(of: person, clock: clock, now: now, apps: true, windows: true)
        offersEnrolling = !isEnrolled
        self.isAsleep = isAsleep
    }

    private static func meal(_ state: OverrideState, end: Date?, clock: ClockFace, now: Date) -> Meal {
        let left = end.map { ClockFace.seconds(from: now, to: $0) }
        return Meal(
            isReady: state.isAvailable(at: now, in: clock.zone),
            isUsed: end == nil && state.isUsed(at: now, in: clock.zone),
            remaining: left.map { Countdown.text(seconds: $0) }, minutes: ((left ?? 0) + 59) / 60,
            endsAt: end.map(ClockFace.iso))
    }
}
