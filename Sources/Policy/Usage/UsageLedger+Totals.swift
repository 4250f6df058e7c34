package import Foundation

extension UsageLedger {
    /// The use of every limit by `now`, in its day and its week. The running minute does not count until it is
    /// over, and until its run has lasted as long: a limit of five minutes gives five.
    package func totals(for household: Household, catalog: Catalog, at now: Date) -> UsageTotals {
        var totals = UsageTotals()
        guard let zone = CivilZone(household.timeZone) else { return totals }
        for person in household.people where !person.limits.list.isEmpty {
            let day = person.limits.day(at: now, in: zone)
            let known = apps(of: person.id)
            guard !known.isEmpty else { continue }
            for limit in person.limits.list {
                let apps = Self.apps(of: limit.target, in: catalog, among: known)
                    .filter { !limit.leavesOut.contains($0) }
                guard !apps.isEmpty else { continue }
                totals[person.id, limit.target] = TargetUse(
                    day: minutes(of: person.id, apps: apps, from: day.start, by: now),
                    week: minutes(of: person.id, apps: apps, from: day.weekStart, by: now))
            }
        }
        return totals
    }

    private static func apps(of target: LimitTarget, in catalog: Catalog, among known: Set<String>)
        -> [String]
    {
        switch target {
        case .app(let id): known.contains(id) ? [id] : []
        case .category(let id): known.filter { catalog.app(id: $0)?.category == id }
        }
    }
}

/// The totals of the last call: they are read every second and change a few times a minute at most.
package struct LatestTotals: Sendable {
    private struct Basis: Equatable {
        struct Part: Equatable {
            var person: PersonID
            var limits: [UsageLimit]
            var resetHour: Int
        }

        var revision: Int
        var minute: Int
        var lagsPassed: Int
        var timeZone: String
        var ownApps: [App]
        var parts: [Part]
    }

    private var basis: Basis?
    private var totals = UsageTotals.none

    package init() {}

    /// `ledger.totals`, computed again only if something changed.
    package mutating func totals(
        of ledger: UsageLedger, for household: Household, catalog: Catalog, at now: Date
    ) -> UsageTotals {
        let new = Basis(
            revision: ledger.revision, minute: now.second.minute, lagsPassed: ledger.lagsPassed(at: now),
            timeZone: household.timeZone,
            ownApps: household.ownApps,
            parts: household.people.filter { !$0.limits.list.isEmpty }.map {
                .init(person: $0.id, limits: $0.limits.list, resetHour: $0.limits.resetHour)
            })
        guard new != basis else { return totals }
        basis = new
        totals = ledger.totals(for: household, catalog: catalog, at: now)
        return totals
    }
}
