import HTTPTypes
import Hummingbird
import Pages
import Policy

extension HomeSite {
    /// `/shield?name=…`: what the asking person would see for a name right now.
    func shieldPreview(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try asker(request, visit)
        let typed = String(request.uri.queryParameters["name"] ?? "")
        guard !typed.isEmpty else { throw PageError(.unprocessableContent, Refusal.domainMissing.message) }
        let name: String
        do { name = try DomainName(typed: typed).text } catch {
            throw PageError(.unprocessableContent, error.message)
        }
        guard let block = present(at: asker.now).verdict(of: name, person: asker.person.id).block else {
            throw PageError(.notFound, "\(name) is not blocked just now, so there is no shield to show.")
        }
        let shown = ShieldPage(
            name: name, block: block, now: asker.now, zone: asker.zone,
            help: asker.household.offersHelp ? "/help" : nil, isPreview: true)
        return try page(shown, for: asker)
    }
}
