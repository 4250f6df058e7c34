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
            isEnrolled: device?.isSomebodys ?? false, now: now, zone: household.foundationZone)
        return try desk.page(shown, request, visit)
    }

    /// Blocks the asking device for two minutes, also if it belongs to no person; nothing is logged. With a login,
    /// `device` is another one.
    func beginTry(_ request: Request, _ visit: Visit) async throws -> Response {
        if let other = try await otherDevice(request, visit) {
            try desk.command { household, _, now in try household.beginTry(other, at: now) }
            return desk.back(to: SetupStep.look.path)
        }
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
        if let other = try await otherDevice(request, visit, checksToken: false) {
            try desk.command(keeping: .evenInMemory) { household, _, _ in household.endTry(other) }
            return desk.back(to: SetupStep.look.path)
        }
        // The shield may have been shown over IPv6 where the device asked over IPv4.
        guard let device = desk.household(at: desk.clock.now()).device(of: visit) else {
            return desk.back(to: "/check/try")
        }
        try desk.command(keeping: .evenInMemory) { household, _, _ in household.endTry(device.id) }
        return desk.back(to: "/check/try")
    }

    /// The device that the form names; nil if it means the asking one. Only a login may name one.
    private func otherDevice(
        _ request: Request, _ visit: Visit, checksToken: Bool = true
    ) async throws -> DeviceID? {
        let fields = try await desk.form(request, visit, checksToken: checksToken)
        var reading = FormReading(fields)
        let named = reading.optional("device")
        try reading.finish()
        guard let named else { return nil }
        guard visit.login != nil else { throw PageError.loginNeeded(request) }
        try desk.checkToken(fields, visit)
        return try DeviceRoutes.deviceID(named)
    }
}
