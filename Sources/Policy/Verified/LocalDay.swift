package import Foundation

extension CivilZone {
    /// The day before today in this zone.
    package func yesterday(at now: Date) -> CivilDate { date(of: now).adding(days: -1) }

    /// From a calendar day's start to the next one's: 23, 24 or 25 hours.
    package func interval(of date: CivilDate) -> Range<Date> {
        let start = dayStart(date)
        return start..<max(start, dayStart(date.adding(days: 1)))
    }
}

extension UsageLedger {
    /// Whole minutes of the requested day in which a person used anything in a selection. Each minute counts once over
    /// all devices; if two sources cover a device, the more exact one counts.
    ///
    /// Nil for an unknown zone. A bare domain counts by the app that owns it, else by itself and everything below it.
    package func verifiedMinutes(
        of person: PersonID, _ selection: AppSelection, _ request: ScreenTimeComputationRequest,
        in catalog: Catalog
    ) -> Int? {
        guard let zone = CivilZone(request.timezone) else { return nil }
        let below = apps(of: person).filter { selection.counts(domain: $0) }
        return minutes(
            of: person, apps: catalog.countedApps(in: selection).union(below),
            in: zone.interval(of: request.date))
    }
}

extension Catalog {
    /// The apps that count for a selection: chosen by themselves, by category, or by one of their domains.
    package func countedApps(in selection: AppSelection) -> Set<String> {
        var ids = Set(apps.filter { selection.categories.contains($0.category) }.map(\.id))
        ids.formUnion(selection.apps.filter { app(id: $0) != nil })
        ids.formUnion(selection.domains.compactMap { app(owning: $0)?.id })
        ids.formUnion(apps.filter { $0.suffixes.contains(where: selection.counts(domain:)) }.map(\.id))
        return ids
    }

    /// Adds, for counting only, an app for every productive domain that no app owns. Its id is the domain, which no
    /// other app's id can be.
    package func counting(_ domains: Set<String>) -> Catalog {
        let free = domains.filter { app(owning: $0) == nil }.sorted()
        guard !free.isEmpty else { return self }
        return Catalog(
            categories: categories,
            apps: apps
                + free.map {
                    App(
                        id: $0, name: $0, category: Category.domain.id, suffixes: [$0],
                        pages: [$0, "www.\($0)"],
                        foreground: [$0])
                }, alwaysReachable: alwaysReachable)
    }
}

extension Category {
    /// On no shelf: it counts only for people who chose it.
    package static let domain = Category(id: "domain", name: "Domains")
}

extension AppSelection {
    /// Whether a name is one of the domains or below one.
    package func counts(domain name: String) -> Bool { domains.contains { DomainName.isUnder(name, $0) } }
}

extension Household {
    /// All domains that people chose as productive.
    package var productiveDomains: Set<String> {
        people.reduce(into: []) { $0.formUnion($1.verified.productive?.domains ?? []) }
    }
}
