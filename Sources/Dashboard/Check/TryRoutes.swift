import Foundation
import Hummingbird
import Pages
import Policy
import Store

extension HomeSite {
    func tryPage(_ request: Request, _ visit: Visit) throws -> Response {
        let now = clock.now()
        let household = household(at: now)
        let device = device(behind: visit.address, in: household)
        let shown = TryPage(
            tryUntil: device?.tryUntil, port: URL(string: configuration.address)?.port,
            isEnrolled: device?.person != nil, now: now, zone: household.foundationZone)
        return try page(shown, request, visit)
    }

    /// Blocks the asking device for two minutes; whose it is does not matter, and nothing is logged.
    func beginTry(_ request: Request, _ visit: Visit) async throws -> Response {
        try await emptyForm(request, visit)
        guard !isRouter([visit.address]) else {
            throw PageError(
                .conflict,
                "Your router stands between this device and this server, so a try would block everything behind the router. Nothing was blocked."
            )
        }
        let newcomer = newcomer(at: visit.address, id: try store.newDeviceID())
        try command { household, _, now in
            try household.beginTry(household.welcome(newcomer, at: now), at: now)
        }
        return back(to: "/check/try")
    }

    /// Anybody on the device may, also while the disk refuses changes and from a page of an older login.
    func endTry(_ request: Request, _ visit: Visit) async throws -> Response {
        try await emptyForm(request, visit, checksToken: false)
        // The shield may have been shown over IPv6 where the device asked over IPv4.
        guard let device = device(behind: visit.address, in: household(at: clock.now())) else {
            return back(to: "/check/try")
        }
        try command(keeping: .evenInMemory) { household, _, _ in household.endTry(device.id) }
        return back(to: "/check/try")
    }

    private func emptyForm(_ request: Request, _ visit: Visit, checksToken: Bool = true) async throws {
        var reading = FormReading(try await form(request, visit, checksToken: checksToken))
        try reading.finish()
    }
}
