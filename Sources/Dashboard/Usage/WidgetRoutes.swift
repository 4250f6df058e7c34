import HTTPTypes
import Hummingbird
import Pages
import Policy

extension HomeSite {
    /// The corner of a display; without a login for the asking device's person.
    func widget(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try asker(request, visit)
        let snapshot = feed.snapshot
        let shown = WidgetPage(
            person: asker.person, household: asker.household, catalog: snapshot.catalog,
            usage: snapshot.usage,
            now: asker.now, isHidden: !asker.seesUsage)
        return try page(shown, for: asker)
    }
}
