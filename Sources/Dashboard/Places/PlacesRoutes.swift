import Hummingbird
import Policy
import Store

/// `/apps` and `/more`: the two places whose own page is a list of pages.
struct PlacesRoutes: Sendable {
    let desk: Desk
    let condition: any ServerCondition

    func appsPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let present = desk.present(at: asker.now)
        let shown = AppsPage(
            person: asker.person,
            limits: asker.person.limitStates(
                at: asker.now, in: asker.household.zone, usage: present.usage),
            showsUse: asker.seesUsage, catalog: present.catalog, now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker)
    }

    func morePage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let shown = MorePage(
            toLookAt: desk.store.notices.shown(at: asker.now).count,
            machines: condition.machines.summary, offersHelp: asker.household.offersHelp)
        return try desk.page(shown, for: asker)
    }
}
