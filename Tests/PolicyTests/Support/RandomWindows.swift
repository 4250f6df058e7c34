import Foundation

@testable import Policy

let fewApps = Catalog(
    categories: [Category(id: "social", name: "Social")],
    apps: ["tiktok", "instagram", "reddit"].map {
        App(id: $0, name: $0, category: "social", suffixes: ["\($0).com"])
    }, alwaysReachable: [])

extension Generator {
    /// Up to six windows that pass their own check.
    mutating func windows() -> [TimeWindow] {
        var found: [TimeWindow] = []
        for _ in 0..<int(0...6) {
            let window = window()
            if (try? TimeWindow.checked(found + [window])) != nil { found.append(window) }
        }
        return TimeWindow.inOrder(found)
    }

    mutating func window() -> TimeWindow {
        TimeWindow(
            id: UUID(), label: chance(50) ? "Lunch" : "", start: time(),
            end: chance(20) ? wildTime() : time(),
            days: chance(60) ? Set(Weekday.allCases) : weekdays())
    }

    /// A multiple of a quarter of an hour, or a time near a day's ends.
    private mutating func wildTime() -> TimeOfDay {
        pick([TimeOfDay(hour: 23, minute: 59), TimeOfDay(hour: 0, minute: 0), TimeOfDay(hour: 0, minute: 1)])
    }

    mutating func restricted() -> Set<String> { Set(fewApps.apps.map(\.id).filter { _ in chance(60) }) }

    /// Apps and windows as a person may have saved them, and a delay for loosening them.
    mutating func furnishWindows(of household: inout Household, _ person: PersonID, at now: Date) {
        let (apps, windows) = (restricted(), windows())
        _ = try? household.saveRestricted(person, apps, catalog: fewApps, change: UUID(), at: now)
        _ = try? household.saveWindows(person, windows, confirmed: true, change: UUID(), at: now)
        for _ in 0..<(chance(50) ? int(0...2) : 0) {
            let set = WindowSet(
                id: UUID(), name: "More",
                restricted: AppSelection(
                    apps: restricted(), categories: chance(30) ? ["social"] : []),
                windows: chance(90) ? self.windows() : nil)
            try? household.addWindowSet(person, set)
        }
        if chance(40) { household[person: person]?.looseningDelay = pick(PendingChange.delays) }
    }

    /// Runs one command of the Windows layer with random input, refused or not.
    mutating func actOnWindows(of household: inout Household, _ person: PersonID, at now: Date) {
        let set = household[person: person].flatMap { chance(50) ? pick($0.antiRot.sets).id : nil }
        switch int(1...6) {
        case 1:
            _ = try? household.saveRestricted(
                person, AppSelection(apps: restricted()), of: set, catalog: fewApps, change: UUID(), at: now)
        case 2: _ = try? household.saveWindow(person, window(), of: set, change: UUID(), at: now)
        case 3:
            guard let all = household[person: person]?.plannedWindows(of: set), !all.isEmpty else { return }
            _ = try? household.removeWindow(
                person, of: set, window: pick(all).id, confirmed: chance(50), change: UUID(), at: now)
        case 4:
            _ = try? household.saveWindows(
                person, windows(), of: set, confirmed: true, change: UUID(), at: now)
        case 5:
            guard let set else { return }
            _ = try? household.removeWindowSet(person, set: set, change: UUID(), at: now)
        default: try? household.activateOverride(person, at: now)
        }
        _ = household.settle(at: now, newID: UUID.init)
    }
}
