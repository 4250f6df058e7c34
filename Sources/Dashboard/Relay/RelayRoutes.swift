import Hummingbird
import Pages
import Policy
import Store

/// `/relay`: the apps that are cut off at once.
struct RelayRoutes: Sendable {
    let desk: Desk
    let condition: any ServerCondition

    func relayPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            RelayPage(
                person: asker.person, catalog: desk.catalog, household: asker.household,
                view: PickerView(request), fault: condition.relayFault), for: asker)
    }

    /// DNS answers with it at once; open connections stay as they are.
    func saveRelayed(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let includesRuled = reading.isOn("ruled")
        let picked = PickedSelection(&reading, appsOnly: true)
        do {
            try reading.finish()
            try desk.command { household, log, now in
                log.note(.ruleChanged, asker.person.id, at: now, "Relayed apps")
                let stored = household[person: asker.person.id]?.relayed.chosen ?? []
                let chosen = picked.applied(
                    to: AppSelection(apps: stored), catalog: desk.wholeCatalog(household)
                ).apps
                try household.setRelayed(
                    asker.person.id, RelayedApps(includesRuled: includesRuled, chosen: chosen),
                    catalog: desk.catalog)
            }
            return desk.back(to: "/relay", for: asker, done: .saved, query: picked.view.query)
        } catch let refusal as Refusal where refusal.isAboutInput {
            return try refused(FormRejected(["app": refusal.message]), picked, includesRuled, asker)
        } catch let rejected as FormRejected {
            return try refused(rejected, picked, includesRuled, asker)
        }
    }

    private func refused(
        _ rejected: FormRejected, _ picked: PickedSelection, _ includesRuled: Bool, _ asker: Asker
    ) throws -> Response {
        let shown = RelayPage(
            person: asker.person, catalog: desk.catalog, household: asker.household,
            relayed: RelayedApps(includesRuled: includesRuled, chosen: picked.ticked.apps),
            view: picked.view, fault: condition.relayFault, errors: rejected.forPage)
        return try desk.page(shown, for: asker, status: .unprocessableContent, notices: rejected.notices)
    }
}
