package import Foundation
import Pages
package import Policy

/// A set of windows in a list.
struct SetRow {
    let place: SetPlace
    let title: String
    /// `until 18:00 · Instagram and TikTok`.
    let text: String
    let isBlocked: Bool

    init(_ set: WindowSet, of person: Person, in catalog: Catalog, clock: ClockFace, now: Date) {
        let status = person.windowsStatus(of: set, at: now, in: clock.zone)
        place = SetPlace(set)
        title = set.title
        isBlocked = status.isBlocked
        let until = status.until.map { clock.until($0, from: now) } ?? (isBlocked ? "all day" : nil)
        let names = set.names(in: catalog)
        text =
            set.isConfigured
            ? [until, names].compactMap { $0 }.joined(separator: " · ")
            : "Blocks nothing yet: it has no \(set.chosen.isEmpty ? "apps" : "windows")."
    }

    /// One for each of a person's sets, without a first one that nobody uses.
    static func all(of person: Person, in catalog: Catalog, clock: ClockFace, now: Date) -> [SetRow] {
        let used = person.antiRot.sets.filter { $0.id != nil || $0.restricted != nil || $0.windows != nil }
        return used.map { SetRow($0, of: person, in: catalog, clock: clock, now: now) }
    }
}

/// All sets of windows: POST `/anti-rot/sets` with `name`; POST `/anti-rot/sets/{set}/restore`.
package struct AntiRotSetsPage: Page {
    package static let template = "anti-rot-sets"

    package let title = "Sets of Windows"
    let sets: [SetRow]
    /// False: only the first set is there, at most.
    let hasSets: Bool
    /// Why no set can be added; nil: one can.
    let full: String?
    /// Just removed; it can be had back.
    let removed: SetRow?
    let waiting: [WaitingChange]
    package let name: String
    /// By field name.
    package let errors: [String: String]

    package init(
        person: Person, catalog: Catalog, removed: WindowSet? = nil, name: String = "",
        errors: [String: String] = [:], now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        sets = SetRow.all(of: person, in: catalog, clock: clock, now: now)
        hasSets = !person.antiRot.otherSets.isEmpty
        full =
            person.antiRot.otherSets.count < WindowSet.maximumCount
            ? nil : Refusal.tooManyWindowSets.message
        self.removed = removed.map { SetRow($0, of: person, in: catalog, clock: clock, now: now) }
        waiting = WaitingChange.all(of: person, clock: clock, now: now, apps: true, windows: true)
        self.name = name
        self.errors = errors
    }
}

/// One set besides the first: POST `/anti-rot/sets/{set}` with `name`; POST `/anti-rot/sets/{set}/delete`;
/// POST `/anti-rot/changes/{id}/drop`.
package struct AntiRotSetPage: Page {
    package static let template = "anti-rot-set"

    package let title: String
    let tab = AntiRotTab.home
    let place: SetPlace
    let isBlocked: Bool
    let isConfigured: Bool
    let until: String?
    /// Nil without any.
    let names: String?
    let count: String
    /// `Lunch 12:00–13:00 and 18:00–19:00`.
    let windows: String
    let hasSchedule: Bool
    let day: DayBar?
    let waiting: [WaitingChange]
    package let name: String
    /// By field name.
    package let errors: [String: String]

    package init(
        person: Person, set: WindowSet, catalog: Catalog, name: String? = nil, errors: [String: String] = [:],
        now: Date, zone: TimeZone
    ) {
        let clock = ClockFace(zone: zone)
        let status = person.windowsStatus(of: set, at: now, in: clock.zone)
        title = set.name
        place = SetPlace(set)
        isBlocked = status.isBlocked
        isConfigured = set.isConfigured
        until = status.until.map { clock.until($0, from: now) } ?? (status.isBlocked ? "all day" : nil)
        names = set.chosen.isEmpty ? nil : set.names(in: catalog)
        count = set.chosen.countWords
        hasSchedule = set.windows != nil
        windows = set.windows == [] ? "None: blocked all day" : (set.windows ?? []).map(\.words).inSentence
        day = set.isConfigured ? DayBar(person, set, at: now, clock: clock) : nil
        waiting = WaitingChange.all(
            of: person, set: set, clock: clock, now: now, apps: true, windows: true)
        self.name = name ?? set.name
        self.errors = errors
    }
}
