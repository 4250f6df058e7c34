import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/shield`: the shield that a name would show.
struct ShieldPreview: Sendable {
    let desk: Desk
    let suggestions: SuggestedTasksFile

    /// `/shield?name=…`: the shield that the asking person would see for a name right now. With `layer=` (`sleep`,
    /// `windows`, `limits`, `focus`) it is an example of that layer. Its buttons do nothing.
    func shieldPreview(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let typed = String(request.uri.queryParameters["name"] ?? "")
        guard !typed.isEmpty else { throw PageError(.unprocessableContent, Refusal.domainMissing.message) }
        let name: String
        do { name = try DomainName(typed: typed).text } catch {
            throw PageError(.unprocessableContent, error.message)
        }
        let present = desk.present(at: asker.now)
        var verdict = present.told(present.verdict(of: name, person: asker.person.id), of: name)
        if let layer = request.uri.queryParameters["layer"].map(String.init) {
            guard let layer = Layer(rawValue: layer) else {
                throw PageError(.unprocessableContent, "The layers are sleep, windows, limits and focus.")
            }
            verdict = .example(of: layer, app: verdict.app, name: name, at: asker.now)
        }
        // Everybody may know that a limit is reached, but only the person may see the minutes.
        if !asker.seesUsage { verdict.limit?.hideUse() }
        guard verdict.block != nil else {
            throw PageError(.notFound, "\(name) is not blocked just now, so there is no shield to show.")
        }
        let suggestion = suggestions.current.tasks.choice(
            at: asker.now, in: asker.zone, for: asker.person.id)
        let shown = ShieldPage(
            name: name, verdict: verdict, now: asker.now, zone: asker.zone,
            offersHelp: asker.household.offersHelp, suggestion: suggestion, isPreview: true)
        return try desk.page(shown, for: asker)
    }
}

extension NameVerdict {
    /// An example block that began half an hour ago and lasts two more hours.
    fileprivate static func example(of layer: Layer, app: App?, name: String, at now: Date) -> NameVerdict {
        let until = now.addingTimeInterval(7_200)
        let block = Block(
            layer: layer, scope: .only(AppSelection()), since: now.addingTimeInterval(-1_800), until: until)
        let shown = app ?? App(id: name, name: name, category: "", suffixes: [name])
        let limit = LimitShield(
            target: .app(shown.id), targetName: shown.name, app: shown, used: 30, allowed: 30,
            isWeekly: false,
            resetsAt: until, unlock: .offered(left: nil), request: nil)
        return NameVerdict(block: block, app: app, limit: layer == .limits ? limit : nil)
    }
}
