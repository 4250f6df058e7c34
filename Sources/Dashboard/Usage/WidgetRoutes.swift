import Hummingbird
import Pages
import Policy

extension UsageRoutes {
    /// The widget; also without a login for the asking device's person.
    func widget(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let snapshot = desk.feed.snapshot
        let shown = WidgetPage(
            person: asker.person, household: asker.household, catalog: snapshot.catalog,
            usage: snapshot.usage, report: try asker.seesUsage ? today(of: asker) : nil, now: asker.now)
        return try desk.page(shown, for: asker)
    }

    private func today(of asker: Asker) throws -> UsageReport {
        let today = asker.household.zone.date(of: asker.now)
        return try usageReport(
            of: asker, on: today, app: nil, today: today, in: desk.catalog.adding(asker.household.ownApps))
    }
}
