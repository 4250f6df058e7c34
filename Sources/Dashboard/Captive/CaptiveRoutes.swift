import HTTPTypes
import Hummingbird
import NIOCore
import Policy

/// `/captive-portal`: what a device's system is told about this network.
struct CaptiveRoutes: Sendable {
    let desk: Desk
    let network: NetworkFacts

    /// What the asking device's system is told about the network (RFC 8908). Public, because systems ask before anybody
    /// logs in; it tells a device only about itself.
    func captivePortal(_ request: Request, _ visit: Visit) -> Response {
        let now = desk.clock.now()
        let household = desk.household(at: now)
        let captivity =
            desk.isSetUp ? household.captivity(of: household.device(of: visit), at: now) : .none
        let secure = network.secureAddress
        var fields: [(key: String, value: JSONValue)] = [("captive", .bool(captivity.isCaptive))]
        // A portal must be reached over TLS (section 5); the pages about the network should.
        if let secure { fields.append(("user-portal-url", .string("\(secure)/my-rules"))) }
        fields.append(("venue-info-url", .string("\(secure ?? desk.configuration.address)/")))
        if let seconds = captivity.secondsRemaining { fields.append(("seconds-remaining", .int(seconds))) }
        fields.append(("can-extend-session", .bool(false)))
        return Response(
            status: .ok,
            headers: [.contentType: "application/captive+json", .cacheControl: "private, no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONValue.object(fields).bytes)))
    }
}
