import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/my-rules`: a person's own rules and requests.
struct MyRulesRoutes: Sendable {
    let desk: Desk

    /// The asking device's person reads their own rules without a login. If the device belongs to no person, or its
    /// person left, the page says so and offers to enroll it.
    func myRulesPage(_ request: Request, _ visit: Visit) throws -> Response {
        let device = desk.household(at: desk.clock.now()).device(of: visit)
        let isNamed = request.uri.queryParameters["person"] != nil
        if device?.person == nil, !isNamed, visit.credential == nil || device?.left != nil {
            return try nobodysRules(device, request, visit)
        }
        let app = request.uri.queryParameters["ask"].map(String.init)
        return try myRules(try desk.asker(request, visit, evenUnconfirmed: true), draft: AskDraft(app: app))
    }

    func myRules(
        _ asker: Asker, draft: AskDraft = AskDraft(), status: HTTPResponse.Status = .ok,
        notices: [PageContext.Notice] = []
    ) throws -> Response {
        let past = MyRulesPage.Past(
            own: try desk.store.latestChanges(of: asker.person.id),
            household: try desk.store.latestChanges(of: nil),
            entries: try desk.store.log(of: asker.person.id, kinds: ChangeRow.kinds, limit: ChangeRow.most),
            isShown: asker.seesUsage)
        let shown = MyRulesPage(
            person: asker.person, household: asker.household, catalog: desk.wholeCatalog(asker.household),
            past: past, device: asker.ownDevice, isTrusted: asker.isTrusted, usage: desk.feed.snapshot.usage,
            draft: draft, now: asker.now)
        return try desk.page(shown, for: asker, status: status, notices: notices)
    }

    private func nobodysRules(_ device: Device?, _ request: Request, _ visit: Visit) throws -> Response {
        // Nobody knows whose it is, so the page must not say that nothing is blocked.
        if let through = visit.through, through.gap == .silent {
            let direct = "On the device, open \(desk.configuration.address)/my-rules."
            throw PageError(.conflict, [through.notice, direct].compactMap { $0 }.joined(separator: " "))
        }
        let household = desk.store.household
        let shown = NobodysRulesPage(
            device: device, in: household, isSignedIn: visit.login != nil, now: desk.clock.now())
        return try desk.page(shown, request, visit)
    }
}

extension Asker {
    /// The asking device, if it belongs to the person of this page.
    var ownDevice: Device? { device.flatMap { $0.person == person.id ? $0 : nil } }
}
