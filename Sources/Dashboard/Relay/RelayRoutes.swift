import Hummingbird
import Pages
import Policy
import Store

extension HomeSite {
    func relayPage(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try asker(request, visit)
        return try page(
            RelayPage(
                person: asker.person, catalog: catalog, household: asker.household,
                fault: surroundings.relayFault()), for: asker)
    }

    /// DNS answers by it at once; what is open already goes on by the way it took.
    func saveRelayed(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await form(request, visit)
        let asker = try asker(request, visit, fields)
        var reading = FormReading(fields)
        let includesRuled = reading.isOn("ruled")
        let picked = PickedSelection(&reading, appsOnly: true)
        do {
            try reading.finish()
            try command { household, log, now in
                log.note(.ruleChanged, asker.person.id, at: now, "Relayed apps")
                let stored = household[person: asker.person.id]?.relayed.chosen ?? []
                let chosen = picked.applied(to: AppSelection(apps: stored)).apps
                try household.setRelayed(
                    asker.person.id, RelayedApps(includesRuled: includesRuled, chosen: chosen),
                    catalog: catalog)
            }
            return back(to: "/relay", for: asker, done: .saved)
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
            person: asker.person, catalog: catalog, household: asker.household,
            relayed: RelayedApps(includesRuled: includesRuled, chosen: picked.ticked.apps),
            fault: surroundings.relayFault(), errors: rejected.forPage)
        return try page(shown, for: asker, status: .unprocessableContent, notices: rejected.notices)
    }
}
