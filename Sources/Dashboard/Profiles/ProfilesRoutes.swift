import Directory
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Pages
import Policy
import Store

/// `/profiles`: Apple's configuration profiles.
struct ProfilesRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts
    let trust: TrustFacts
    let statics: StaticFiles

    /// Works on every device without a login: a profile has only what the device itself may know.
    func profilesPage(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let device = desk.household(at: now).device(of: visit)
        let shown = ProfilesPage(
            system: ClientSystem(request), hasCertificate: trust.authority(now) != nil,
            isKnown: device != nil, isServed: trust.httpsPort != nil && network.dnsPort != nil,
            home: home(of: device, at: now), addresses: trust.addresses())
        return try desk.page(shown, request, visit)
    }

    func webClipProfile(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let home = home(of: desk.household(at: now).device(of: visit), at: now)
        let icon = statics.bytes("icon-192.png").map { Data($0) }
        return try profile(
            "home-screen", "Sleep Inducer on the home screen",
            "Puts Sleep Inducer on the home screen. It opens \(home) and changes nothing else.",
            scope: .user, content: home
        ) {
            WebClipPayload(common: $0, url: home + "/", label: "Sleep", icon: icon)
        }
    }

    func certificateProfile(_ request: Request, _ visit: Visit) throws -> Response {
        guard let authority = trust.authority(desk.clock.now()) else { throw PageError(.notFound) }
        return try profile(
            "certificate", "Sleep Inducer's certificate",
            "Lets this device see the shield over HTTPS. It speaks for pages of apps that can be blocked, and for no bank.",
            scope: .system, content: authority.fingerprint
        ) {
            RootPayload(
                common: $0, fileName: "sleep-inducer.crt", certificate: Data(authority.certificate))
        }
    }

    /// The profile has an address for the asking device alone, so the device is known from now on.
    func dnsProfile(_ request: Request, _ visit: Visit) throws -> Response {
        let now = desk.clock.now()
        let addresses = trust.addresses()
        guard trust.authority(now) != nil else {
            throw PageError(
                .notFound, "This profile needs the household's certificate, which is made on /trust.")
        }
        guard let device = desk.household(at: now).device(of: visit),
            let url = network.queryAddress(device.id),
            let probe = addresses.first.flatMap({ trust.secureAddress(host: $0) })
        else {
            throw PageError(.notFound, "This device is not known here yet, or nothing is served over HTTPS.")
        }
        return try profile(
            "dns", "Sleep Inducer's DNS",
            "At home, this device asks Sleep Inducer for names, encrypted. Elsewhere it asks as before.",
            scope: .system, content: ([url] + addresses).joined(separator: " ")
        ) {
            DNSPayload(common: $0, url: url, addresses: addresses, probe: probe + "/healthz")
        }
    }

    /// The address that the bookmark opens: the reverse proxy's, if the reader came by its name. Otherwise it is HTTPS
    /// on a device that trusts the certificate, because pages can then send notifications and keep the bedside display
    /// lit.
    private func home(of device: Device?, at now: Date) -> String {
        if let pages = Caller.current?.through?.pages { return pages }
        let isTrusting = device?.trustsShield(of: trust.authority(now)?.fingerprint) ?? false
        return isTrusting
            ? trust.secureAddress(host: desk.configuration.ownNames().name) ?? desk.configuration.address
            : desk.configuration.address
    }

    private func profile<Payload: ProfilePayload>(
        _ kind: String, _ name: String, _ description: String,
        scope: ConfigurationProfile<Payload>.Scope, content: String,
        payload: (ProfileCommon) -> Payload
    ) throws -> Response {
        let identity = ProfileIdentity(secret: desk.store.secret)
        let common = identity.common(kind, type: Payload.type, name: name, content: content)
        let profile = ConfigurationProfile(
            content: [payload(common)], description: description, displayName: name,
            identifier: identity.identifier(kind), scope: scope, uuid: identity.uuid(kind, content))
        return Response(
            status: .ok, headers: [.contentType: "application/x-apple-aspen-config"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try profile.file())))
    }
}
