import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// The pages that point devices here.
struct SetupEndRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts
    let invitations: PhoneInvitations

    /// Open to every device without a login, because a new phone needs it. A login makes the page wait for phones.
    func setupDevice(_ request: Request, _ visit: Visit) throws -> Response {
        if visit.login != nil { return try waitForPhones(request, visit) }
        let now = desk.clock.now()
        let household = desk.household(at: now)
        let device = household.device(of: visit)
        let sent = request.uri.queryParameters["key"].map { String($0.prefix(64)) }
        let key = sent.flatMap { invitations.isOpen($0, for: device?.id, at: now) ? $0 : nil }
        let shown = SetupDevicePage(
            pointing: PointHere(request, desk.configuration, network, visit.address),
            code: PhoneCode(server: desk.pages),
            owner: .init(of: device, in: household, mayChoose: key != nil, key: key),
            isEnrolled: device?.isSomebodys ?? false, isKeyUsed: sent != nil && key == nil)
        return try desk.page(shown, request, visit)
    }

    /// The same page for somebody with the passcode: its code carries an invitation, and it says who arrives.
    private func waitForPhones(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        let key = invitations.key(at: asker.now)
        let shown = SetupDevicePage(
            pointing: PointHere(request, desk.configuration, network, visit.address),
            code: PhoneCode(server: desk.pages, key: key),
            owner: .init(of: asker.device, in: asker.household, mayChoose: true),
            step: asker.setupStep(.device),
            arrivals: Arrival.all(
                in: asker.household, enrolled: try enrolledLately(asker),
                invited: invitations.takers(at: asker.now), viewer: asker.device?.id, now: asker.now),
            isEnrolled: asker.isEnrolled, isSignedIn: true)
        return try desk.page(shown, for: asker)
    }

    /// The devices that became somebody's within the last quarter of an hour, by the log.
    private func enrolledLately(_ asker: Asker) throws -> Set<DeviceID> {
        let since = asker.now.addingTimeInterval(-Arrival.newness)
        let entries = try asker.household.people.flatMap { try desk.store.log(of: $0.id, limit: 20) }
        return Set(
            entries.filter { $0.kind == .deviceEnrolled && $0.instant > since }.compactMap(\.device))
    }

    func setupRouter(_ request: Request, _ visit: Visit) throws -> Response {
        let asker = try desk.asker(request, visit)
        return try desk.page(
            SetupRouterPage(
                pointing: PointHere(request, desk.configuration, network, visit.address),
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
                pointing: PointHere(request, desk.configuration, network, visit.address), formerDNS: typed,
                error: refusal.message)
            return try desk.page(shown, for: asker, status: .unprocessableContent)
        }
        return desk.back(to: "/setup/router", for: asker, done: .saved)
    }
}
