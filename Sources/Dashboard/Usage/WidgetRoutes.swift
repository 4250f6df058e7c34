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
            usage: snapshot.usage,
            now: asker.now, isHidden: !asker.seesUsage)
        return try desk.page(shown, for: asker)
    }
}
