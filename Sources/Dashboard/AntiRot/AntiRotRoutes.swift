import Foundation
import HTTPTypes
import Hummingbird
import Pages
import Policy
import Store

/// `/anti-rot`: whether the person's apps are open now, and "I'm Eating".
struct AntiRotRoutes: Sendable {
    let desk: Desk

    /// Works without a login for the asking device's person. Other visitors read what Anti-Rot is and how to get
    /// started.
    func antiRotPage(_ request: Request, _ visit: Visit) throws -> Response {
        guard desk.isSetUp else { return try desk.page(AntiRotWelcomePage(isSetUp: false), request, visit) }
        let isKnown = desk.store.household.device(of: visit)?.person != nil
        let isNamed = request.uri.queryParameters["person"] != nil
        if visit.credential == nil, !isKnown, !isNamed {
            return try desk.page(AntiRotWelcomePage(isSetUp: true), request, visit)
        }
        return try antiRotHome(try desk.asker(request, visit))
    }

    /// "I'm Eating": once a calendar day; also without a login for the asking device's person. The
    /// Origin check keeps other sites from pressing it.
    func useOverride(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, fields) = try await desk.posted(request, visit)
        var reading = FormReading(fields)
        try reading.finish()
        do {
            try desk.command { household, log, now in
                try household.activateOverride(asker.person.id, at: now)
                log.note(.overrideUsed, asker.person.id, asker.device?.id, at: now)
            }
        } catch let refusal as Refusal {
            let notice = PageContext.Notice(.refused, refusal.message)
            return try antiRotHome(desk.asker(request, visit, fields), status: .conflict, notices: [notice])
        }
        return desk.back(to: "/anti-rot", for: asker)
    }

    /// Takes back a loosening change that waits.
    func keepAsItWas(_ request: Request, _ visit: Visit) async throws -> Response {
        let asker = try await desk.pressed(request, visit)
        guard let id = visit.pathID, asker.person.pending.contains(where: { $0.id == id }) else {
            throw PageError(.conflict, "This change is not waiting any more.")
        }
        try desk.command { household, log, now in
            try household.dropPending(asker.person.id, change: id)
            log.note(.ruleChanged, asker.person.id, at: now, "Anti-Rot: kept as it was")
        }
        return desk.back(to: "/anti-rot", for: asker, done: .kept)
    }

    private func antiRotHome(
        _ asker: Asker, status: HTTPResponse.Status = .ok, notices: [PageContext.Notice] = []
    ) throws -> Response {
        let shown = AntiRotHomePage(
            person: asker.person, catalog: desk.wholeCatalog(asker.household), isEnrolled: asker.isEnrolled,
            isAsleep: asker.isSessionRunning, now: asker.now, zone: asker.zone)
        return try desk.page(shown, for: asker, status: status, notices: notices)
    }
}
