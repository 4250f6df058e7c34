package import Foundation

// A strict sleep session restricts none of these: each layer has its own way out. Adding a window or removing an
// app unblocks at once, unless the person chose that loosening waits (`Person.make`).

extension Household {
    /// Chooses the apps to block; apps only. Refuses ids that the catalog does not have. Ids chosen
    /// before that the catalog has since lost block nothing and are dropped.
    @discardableResult
    package mutating func saveRestricted(
        _ id: PersonID, _ apps: Set<String>, catalog: Catalog, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let catalog = catalog.adding(ownApps)
        let selection = try catalog.checked(AppSelection(apps: apps))
        let lost = people[index].antiRot.restricted?.apps.filter { catalog.app(id: $0) == nil } ?? []
        people[index].antiRot.restricted?.apps.subtract(lost)
        return people[index].make(.restricted(selection), id: change, at: now)
    }

    /// Adds windows, in the place of `former` if that is given: this changes a window's label, times or
    /// days, or splits it at midnight. If a change of windows waits, in that change. Opening more than before loosens,
    /// and may wait, all of it.
    @discardableResult
    package mutating func saveWindows(
        _ id: PersonID, _ windows: [TimeWindow], inPlaceOf former: UUID?, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let planned = people[index].plannedWindows ?? []
        var saved = planned.filter { $0.id != former }
        guard former == nil || saved.count < planned.count else { throw .unknownWindow }
        for window in windows {
            let window = try window.checked()
            if let other = saved.first(where: { $0.id == window.id || $0.overlaps(window) }) {
                throw .windowsOverlap(other)
            }
            guard saved.count < TimeWindow.maximumCount else { throw .tooManyWindows }
            saved.append(window)
        }
        return people[index].make(.windows(TimeWindow.inOrder(saved)), id: change, at: now)
    }

    /// Removes a window at once, also from a waiting change: that loosens nothing. The last one needs a confirmation
    ///.
    @discardableResult
    package mutating func removeWindow(
        _ id: PersonID, window: UUID, confirmed: Bool, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let current = people[index].antiRot.windows ?? []
        let planned = people[index].plannedWindows ?? []
        guard (current + planned).contains(where: { $0.id == window }) else { throw .unknownWindow }
        let rest = current.filter { $0.id != window }
        guard confirmed || !rest.isEmpty || current.isEmpty else { throw .emptyScheduleUnconfirmed }
        let plannedRest = planned.filter { $0.id != window }
        guard let waiting = people[index].pending.firstIndex(where: { $0.change.subject == .windows }),
            plannedRest != rest
        else { return people[index].make(.windows(rest), id: change, at: now) }
        people[index].pending[waiting].change = .windows(plannedRest)
        people[index].apply(.windows(rest))
        return .now
    }

    /// Replaces all windows. An empty list blocks everything all day, so it needs a confirmation.
    @discardableResult
    package mutating func saveWindows(
        _ id: PersonID, _ windows: [TimeWindow], confirmed: Bool, change: UUID, at now: Date
    ) throws(Refusal) -> Applied {
        let index = try index(of: id)
        let windows = try TimeWindow.checked(windows)
        guard confirmed || !windows.isEmpty || people[index].antiRot.windows == [] else {
            throw .emptyScheduleUnconfirmed
        }
        return people[index].make(.windows(windows), id: change, at: now)
    }

    /// "I'm Eating": opens the restricted apps for 45 minutes, once a calendar day. Works also while
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
    /// The windows as they will be: those of a waiting change, else the current ones.
    package var plannedWindows: [TimeWindow]? {
        for entry in pending {
            if case .windows(let windows) = entry.change { return windows }
        }
        return antiRot.windows
    }
}
