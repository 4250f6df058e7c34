package import Foundation

// A strict sleep session restricts none of these: each layer has its own way out. Adding a window or removing an
// app unblocks at once, unless the person chose that loosening waits (`Person.make`).

extension Household {
    /// Chooses the apps of the first set, which has apps only; see below.
    @discardableResult
    package mutating func saveRestricted(
        _ id: PersonID, _ apps: Set<String>, catalog: Catalog, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        try saveRestricted(id, AppSelection(apps: apps), of: nil, catalog: catalog, change: change, at: now)
    }

    /// Chooses what a set blocks: apps, and with a name also whole categories. Refuses ids that the catalog does not have.
    /// Ids chosen before that the catalog has since lost block nothing and are dropped.
    @discardableResult
    package mutating func saveRestricted(
        _ id: PersonID, _ chosen: AppSelection, of set: UUID?, catalog: Catalog, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let catalog = catalog.adding(ownApps)
        guard var current = people[index].antiRot[set: set] else { throw .unknownWindowSet }
        guard chosen.domains.isEmpty, set != nil || chosen.categories.isEmpty else { throw .appsOnly }
        let selection = try catalog.checked(chosen)
        let lost = current.chosen.apps.filter { catalog.app(id: $0) == nil }
        current.restricted?.apps.subtract(lost)
        people[index].antiRot[set: set] = current
        return people[index].make(.restricted(selection, in: set), id: change, at: now)
    }

    /// Adds a window, in the place of `former` if that is given: this changes a window's label, times or days. If a change
    /// of windows waits, in that change. Opening more than before loosens, and may wait, all of it.
    @discardableResult
    package mutating func saveWindow(
        _ id: PersonID, _ window: TimeWindow, of set: UUID? = nil, inPlaceOf former: UUID? = nil,
        change: UUID,
        at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard people[index].antiRot[set: set] != nil else { throw .unknownWindowSet }
        let planned = people[index].plannedWindows(of: set) ?? []
        let others = planned.filter { $0.id != former }
        guard former == nil || others.count < planned.count else { throw .unknownWindow }
        let windows = try TimeWindow.checked(others, adding: window)
        return people[index].make(.windows(windows, in: set), id: change, at: now)
    }

    /// Removes a window at once, also from a waiting change: that loosens nothing. The last one needs a confirmation.
    @discardableResult
    package mutating func removeWindow(
        _ id: PersonID, of set: UUID? = nil, window: UUID, confirmed: Bool, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let current = people[index].antiRot[set: set]?.windows ?? []
        let planned = people[index].plannedWindows(of: set) ?? []
        guard (current + planned).contains(where: { $0.id == window }) else { throw .unknownWindow }
        let rest = current.filter { $0.id != window }
        guard confirmed || !rest.isEmpty || current.isEmpty else { throw .emptyScheduleUnconfirmed }
        let plannedRest = planned.filter { $0.id != window }
        guard
            let waiting = people[index].pending.firstIndex(where: { $0.change.subject == .windows(in: set) }),
            plannedRest != rest
        else { return people[index].make(.windows(rest, in: set), id: change, at: now) }
        people[index].pending[waiting].change = .windows(plannedRest, in: set)
        people[index].apply(.windows(rest, in: set))
        return .now
    }

    /// Replaces all windows of a set. An empty list blocks everything all day, so it needs a confirmation.
    @discardableResult
    package mutating func saveWindows(
        _ id: PersonID, _ windows: [TimeWindow], of set: UUID? = nil, confirmed: Bool, change: UUID,
        at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        guard let current = people[index].antiRot[set: set] else { throw .unknownWindowSet }
        let windows = try TimeWindow.checked(windows)
        guard confirmed || !windows.isEmpty || current.windows == [] else { throw .emptyScheduleUnconfirmed }
        return people[index].make(.windows(windows, in: set), id: change, at: now)
    }

    /// "I'm Eating": opens the restricted apps of all sets for 45 minutes, once a calendar day. Works also while
    /// they are open, but not where nothing is configured, nor while an override from before midnight runs.
    package mutating func activateOverride(_ id: PersonID, at now: Date) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].antiRot.isConfigured else { throw .overrideOfNothing }
        let override = people[index].antiRot.override
        guard !override.isUsed(at: now, in: zone) else { throw .overrideUsed }
        guard override.end(at: now) == nil else { throw .overrideRunning }
        people[index].antiRot.override = OverrideState(
            lastUsedDate: now, overrideExpiresAt: now.addingTimeInterval(OverrideState.duration))
    }
}

extension Person {
    /// The first set's windows as they will be.
    package var plannedWindows: [TimeWindow]? { plannedWindows(of: nil) }

    /// A set's windows as they will be: those of a waiting change, else the current ones.
    package func plannedWindows(of set: UUID?) -> [TimeWindow]? {
        for entry in pending {
            if case .windows(let windows, set) = entry.change { return windows }
        }
        return antiRot[set: set]?.windows
    }
}
