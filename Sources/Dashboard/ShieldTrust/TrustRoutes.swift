import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Pages
import Policy
import Store

extension HomeSite {
    /// Works for every device, signed in or not.
    func trustPage(_ request: Request, _ visit: Visit) throws -> Response {
        let now = clock.now()
        let household = household(at: now)
        let shown = TrustPage(
            trust, household: household, device: device(behind: visit.address, in: household),
            ownName: configuration.hosts.name, isSignedIn: visit.login != nil,
            system: ClientSystem(request), now: now)
        return try page(shown, request, visit)
    }

    /// Makes the household's certificate, or another in its place.
    func makeAuthority(_ request: Request, _ visit: Visit) async throws -> Response {
        var reading = FormReading(try await form(request, visit))
        let confirmation = reading.optional("confirm")
        try reading.finish()
        let now = clock.now()
        guard trust.httpsPort != nil, trust.canSpeakForOwnName else { return back(to: "/trust") }
        // A form that was sent twice must not cost every device its trust.
        if trust.authority(now) != nil, confirmation != "again" { return back(to: "/trust") }
        do {
            try trust.make(store.household.ownApps, now)
        } catch {
            visit.logger.error("The certificate could not be kept", metadata: ["error": "\(error)"])
            throw PageError(
                .serviceUnavailable, "The certificate could not be kept on this machine's disk.",
                isUnsaved: true)
        }
        return back(to: "/trust", done: .certified)
    }

    /// The certificate as every system takes it; never the key.
    func certificateFile(_ request: Request, _ visit: Visit) throws -> Response {
        guard let authority = trust.authority(clock.now()) else { throw PageError(.notFound) }
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/x-x509-ca-cert",
                .contentDisposition: "attachment; filename=\"sleep-inducer.crt\"",
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: authority.certificate)))
    }

    /// Makes the browser load an image over HTTPS from a name that nobody ever saw: it comes only where the certificate
    /// is trusted, because no exception can have been stored for it.
    func trustCheck(_ request: Request, _ visit: Visit) throws -> Response {
        let now = clock.now()
        guard trust.authority(now) != nil, trust.httpsPort != nil else { return back(to: "/trust") }
        let id = checks.begin(for: visit.address, at: now)
        guard let host = secureAddress(host: "\(id).check.\(configuration.hosts.name)") else {
            return back(to: "/trust")
        }
        let shown = TrustCheckPage(id: id, image: host + Self.checkImagePath)
        var response = try page(shown, request, visit)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.policy(images: [host])
        return response
    }

    /// What came of it, for whoever has the check's number.
    func trustResult(_ request: Request, _ visit: Visit) throws -> Response {
        let now = clock.now()
        let id = request.uri.queryParameters["id"].map(String.init) ?? ""
        guard let entry = checks.entry(id, at: now) else { return back(to: "/trust/check") }
        // The device may not have been known yet when it loaded the image.
        try noteTrust(of: id, loadedFrom: nil)
        let shown = TrustResultPage(
            outcome(entry, at: now), hasAsked: !entry.questions.isEmpty || !entry.loads.isEmpty,
            secureHome: secureHome, system: ClientSystem(request))
        return try page(shown, request, visit)
    }

    /// The device that uses an address, also where it is known by another of its addresses only; nil where that is not
    /// sure.
    func device(behind address: String, in household: Household) -> Device? {
        if let device = household.asking(at: address) { return device }
        let own = surroundings.network.own()
        if own.contains(address) { return own.sorted().lazy.compactMap { household.asking(at: $0) }.first }
        return household.device(behind: address, neighbours: surroundings.network.neighbours())
    }

    private func outcome(_ entry: CheckBook.Entry, at now: Date) -> TrustResultPage.Outcome {
        guard !entry.secureLoads.isEmpty else { return .notYet }
        guard let device = device(behind: entry.address, in: store.household) else { return .unknown }
        if device.trustsShield(of: trust.authority(now)?.fingerprint) { return .trusts }
        return isRouter(device.addresses) ? .router : .elsewhere
    }

    /// Remembers that the device that began a check trusts the certificate, once it has loaded its image over TLS.
    ///
    /// Only that device can cause it, and only for itself: the number is known to it alone, and the connection's address
    /// has to be the same device's. Behind a router all look the same, so there nothing is remembered.
    func noteTrust(of id: String, loadedFrom address: String?) throws {
        let now = clock.now()
        if let address { checks.note(secureLoad: id, from: address, at: now) }
        guard let entry = checks.entry(id, at: now), let authority = trust.authority(now),
            let device = device(behind: entry.address, in: store.household), !isRouter(device.addresses),
            !entry.secureLoads.isDisjoint(
                with: siblings(of: entry.address, store.household).union([entry.address])),
            !device.trustsShield(of: authority.fingerprint)
        else { return }
        try command { household, _, _ in
            guard household[device: device.id] != nil else { return }
            try household.noteTrust(device.id, in: authority.fingerprint)
        }
    }

    /// The owner says that a device does not trust it any more.
    func forgetTrust(_ request: Request, _ visit: Visit) async throws -> Response {
        let (asker, id) = try await pressed(request, visit)
        try command { household, _, _ in try household.forgetTrust(id) }
        return back(to: "/devices", for: asker, done: .saved)
    }
}
