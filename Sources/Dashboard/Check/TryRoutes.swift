import Foundation
import Hummingbird
import Pages
import Policy
import Store

/// `/check/try`: blocks the device for two minutes, so that its user sees what that looks like.
struct TryRoutes: Sendable {
    let desk: Desk
    let arrivals: Arrivals

    func tryPage(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let household = desk.household(at: now)
        let device = household.device(of: visit)
        let shown = TryPage(
            tryUntil: device?.tryUntil, port: URL(string: desk.configuration.address)?.port,
            isEnrolled: device?.person != nil, now: now, zone: household.foundationZone)
        return try desk.page(shown, request, visit)
    }

    /// Blocks the asking device for two minutes, also if it belongs to no person; nothing is logged.
    func beginTry(_ request: Request, _ visit: Visit) async throws -> Response {
        try await emptyForm(request, visit)
        guard !arrivals.network.isRouter([visit.address]) else {
            throw PageError(
                .conflict,
                "Your router stands between this device and this server, so a try would block everything behind the router. Nothing was blocked."
            )
        }
        let newcomer = try arrivals.newcomer(at: visit.address)
        try desk.command { household, _, now in
            try household.beginTry(household.welcome(newcomer, at: now), at: now)
        }
        return desk.back(to: "/check/try")
    }

    /// Anybody on the device may end it, also while the disk refuses changes and from a page of an older login.
    func endTry(_ request: Request, _ visit: Visit) async throws -> Response {
        try await emptyForm(request, visit, checksToken: false)
        // The shield may have been shown over IPv6 where the device asked over IPv4.
        guard let device = desk.household(at: desk.clock.now()).device(of: visit) else {
            return desk.back(to: "/check/try")
        }
        try desk.command(keeping: .evenInMemory) { household, _, _ in household.endTry(device.id) }
        return desk.back(to: "/check/try")
    }

    private func emptyForm(_ request: Request, _ visit: Visit, checksToken: Bool = true) async throws {
        var reading = FormReading(try await desk.form(request, visit, checksToken: checksToken))
        try reading.finish()
    }
}
