import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// The pages after set-up: pointing devices here.
struct SetupEndRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts

    func setupBegin(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let shown = BeginPage(
            pointing: PointHere(request, desk.configuration, network), address: desk.configuration.address,
            holdsFirst: asker.person.allowed.holdsFirst(in: desk.catalog))
        return try desk.page(shown, for: asker)
    }

    /// Open to every device without a login, because a new phone needs it.
    func setupDevice(_ request: Request, _ visit: Visit) throws -> Response {
        try desk.page(
            SetupDevicePage(pointing: PointHere(request, desk.configuration, network)), request, visit)
    }

    func setupRouter(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            SetupRouterPage(
                pointing: PointHere(request, desk.configuration, network),
                formerDNS: asker.household.formerDNS), for: asker)
    }

    /// Stores the router's old DNS setting, for the way back.
    func saveFormerDNS(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        let typed = reading.optional("formerDNS") ?? ""
        try reading.finish()
        do {
            try desk.command { household, log, now in
                try household.noteFormerDNS(typed)
                log.note(.ruleChanged, asker.person.id, at: now, "The old DNS setting")
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            let shown = SetupRouterPage(
                pointing: PointHere(request, desk.configuration, network), formerDNS: typed,
                error: refusal.message)
            return try desk.page(shown, for: asker, status: .unprocessableContent)
        }
        return desk.back(to: "/setup/router", for: asker, done: .saved)
    }
}
