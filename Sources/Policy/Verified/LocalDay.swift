package import Foundation

extension CivilZone {
    /// The day before the one that it is.
    package func yesterday(at now: Date) -> CivilDate { date(of: now).adding(days: -1) }

    /// From a calendar day's start to the next one's: 23, 24 or 25 hours (DD-033).
    package func interval(of date: CivilDate) -> Range<Date> {
        let start = dayStart(date)
        return start..<max(start, dayStart(date.adding(days: 1)))
    }
}

extension UsageLedger {
    /// Whole minutes of the requested day in which a person used anything of a selection: each once, on all devices
    /// together, and where two sources speak of a device, what the more exact one says (DD-008, DD-009, DD-034).
    ///
    /// Nil for a zone that there is none of. A bare domain counts by the app that owns it.
    package func verifiedMinutes(
        of person: PersonID, _ selection: AppSelection, _ request: ScreenTimeComputationRequest,
        in catalog: Catalog
    ) -> Int? {
        guard let zone = CivilZone(request.timezone) else { return nil }
        return minutes(
            of: person, apps: catalog.countedApps(in: selection), in: zone.interval(of: request.date))
    }
}

extension Catalog {
    /// The apps whose minutes count for a selection: chosen by themselves, by their category or by a domain of theirs.
    package func countedApps(in selection: AppSelection) -> Set<String> {
        var ids = Set(apps.filter { selection.categories.contains($0.category) }.map(\.id))
        ids.formUnion(selection.apps.filter { app(id: $0) != nil })
        ids.formUnion(selection.domains.compactMap { app(owning: $0)?.id })
        return ids
    }

    /// Domains of a selection of which no minutes are known, because no app has them.
    package func uncountedDomains(in selection: AppSelection) -> [String] {
        selection.domains.filter { app(owning: $0) == nil }.sorted()
    }
}
