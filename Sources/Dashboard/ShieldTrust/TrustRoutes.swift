import Directory
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Pages
import Policy
import Store

/// `/trust`: the household's certificate, and whether a device trusts it.
struct TrustRoutes: Sendable {
    let desk: Desk
    let trust: TrustFacts
    let arrivals: Arrivals
    let checks: CheckBook

    private var network: NetworkFacts { arrivals.network }

    /// Works for every device, signed in or not.
    func trustPage(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let household = desk.household(at: now)
        let shown = TrustPage(
            trust, household: household, device: household.device(of: visit),
            ownName: desk.configuration.ownNames().name, isSignedIn: visit.login != nil,
            system: ClientSystem(request), now: now)
        return try desk.page(shown, request, visit)
    }

    /// Makes the household's certificate, or replaces it with a new one.
    func makeAuthority(_ request: Request, _ visit: Visit) async throws -> Response {
        var reading = FormReading(try await desk.form(request, visit))
        let confirmation = reading.optional("confirm")
        try reading.finish()
        let now = desk.clock.now()
        guard trust.httpsPort != nil, trust.canSpeakForOwnName else { return desk.back(to: "/trust") }
        // A form sent twice must not make every device lose its trust.
        if trust.authority(now) != nil, confirmation != "again" { return desk.back(to: "/trust") }
        do {
            try trust.make(desk.store.household.ownApps, now)
        } catch {
            visit.logger.error("The certificate could not be kept", metadata: ["error": "\(error)"])
            throw PageError(
                .serviceUnavailable, "The certificate could not be kept on this machine's disk.",
                isUnsaved: true)
        }
        return desk.back(to: "/trust", done: .certified)
    }

    /// The certificate in the form that every system accepts; never the key.
    func certificateFile(_ request: Request, _ visit: Visit) throws -> Response {
        guard let authority = trust.authority(desk.clock.now()) else { throw PageError(.notFound) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-x509-ca-cert",
                .contentDisposition: "attachment; filename=\"sleep-inducer.crt\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: authority.certificate)))
    }

    /// Makes the browser load an image over HTTPS from a new name. No exception can be stored for that name, so the
    /// image loads only if the certificate is trusted.
    func trustCheck(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        guard trust.authority(now) != nil, trust.httpsPort != nil else { return desk.back(to: "/trust") }
        let id = checks.begin(for: visit.address)
        guard let host = trust.secureAddress(host: "\(id).check.\(desk.configuration.ownNames().name)") else {
            return desk.back(to: "/trust")
        }
        let shown = TrustCheckPage(id: id, image: host + CheckRoutes.imagePath)
        var response = try desk.page(shown, request, visit)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.policy(images: [host])
        return response
    }

    /// The result of a check, for anybody with its id.
    func trustResult(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let id = request.uri.queryParameters["id"].map(String.init) ?? ""
        guard let entry = checks.entry(id) else { return desk.back(to: "/trust/check") }
        // The device may not have been known yet when it loaded the image.
        try noteTrust(of: id, loadedFrom: nil)
        let shown = TrustResultPage(
            outcome(entry, at: now), hasAsked: !entry.questions.isEmpty || !entry.loads.isEmpty,
            secureHome: trust.secureAddress(host: desk.configuration.ownNames().name),
            system: ClientSystem(request))
        return try desk.page(shown, request, visit)
    }

    private func outcome(_ entry: CheckBook.Entry, at now: Date) -> TrustResultPage.Outcome {
        guard !entry.secureLoads.isEmpty else { return .notYet }
        guard let device = arrivals.device(at: entry.address, in: desk.store.household) else {
            return .unknown
        }
        if device.trustsShield(of: trust.authority(now)?.fingerprint) { return .trusts }
        return network.isRouter(device.addresses) ? .router : .elsewhere
    }

    /// Remembers that the device of a check trusts the certificate, after it has loaded the image over TLS.
    ///
    /// A device can cause this only for itself: only it knows the id, and the connection's address must be its own.
    /// Behind a router all devices look the same, so nothing is remembered there.
    func noteTrust(of id: String, loadedFrom address: String?) throws {
        let now = desk.clock.now()
        if let address { checks.note(secureLoad: id, from: address) }
        guard let entry = checks.entry(id), let authority = trust.authority(now),
            let device = arrivals.device(at: entry.address, in: desk.store.household),
            !network.isRouter(device.addresses),
            !entry.secureLoads.isDisjoint(
                with: arrivals.siblings(of: entry.address, desk.store.household).union([entry.address])),
            !device.trustsShield(of: authority.fingerprint)
        else { return }
        try desk.command { household, _, _ in
            guard household[device: device.id] != nil else { return }
            try household.noteTrust(device.id, in: authority.fingerprint)
        }
    }
}
