import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

extension HomeSite {
    func setupBegin(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try asker(request, visit)
        let shown = BeginPage(
            pointing: pointing(request), address: configuration.address,
            holdsFirst: asker.person.allowed.holdsFirst(in: catalog))
        return try page(shown, for: asker)
    }

    /// For every device, signed in or not: it is where a phone learns whom to ask.
    func setupDevice(_ request: Request, _ visit: Visit) throws -> Response {
        try page(SetupDevicePage(pointing: pointing(request)), request, visit)
    }

    func setupRouter(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try asker(request, visit)
        return try page(
            SetupRouterPage(pointing: pointing(request), formerDNS: asker.household.formerDNS), for: asker)
    }

    /// Writes down what the router was set to, for the way back.
    func saveFormerDNS(_ request: Request, _ visit: Visit) async throws -> Response {
        let fields = try await form(request, visit)
        let asker = try asker(request, visit, fields)
        var reading = FormReading(fields)
        let typed = reading.optional("formerDNS") ?? ""
        try reading.finish()
        do {
            try command { household, log, now in
                try household.noteFormerDNS(typed)
                log.note(.ruleChanged, asker.person.id, at: now, "The old DNS setting")
            }
        } catch let refusal as Refusal where refusal.isAboutInput {
            let shown = SetupRouterPage(
                pointing: pointing(request), formerDNS: typed, error: refusal.message)
            return try page(shown, for: asker, status: .unprocessableContent)
        }
        return back(to: "/setup/router", for: asker, done: .saved)
    }
}
