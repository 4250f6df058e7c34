import Directory
import HTTPTypes
import Hummingbird

/// The facts about a request that came through a reverse proxy.
struct ThroughProxy: Sendable {
    /// Why the asking device is unknown.
    enum Gap: Sendable {
        /// The proxy is trusted, but does not name its client.
        case silent
        /// The proxy is not trusted: its own address counts as the device's.
        case stranger
    }

    /// The proxy's address.
    let proxy: String
    var gap: Gap?
    /// The origin at which the reader opened these pages, such as `https://sleep.example.org`, if it is a name of the
    /// proxy.
    var pages: String?

    /// The sentence for the page, so that people need not guess.
    var notice: String? {
        switch gap {
        case .silent:
            "The reverse proxy at \(proxy) does not say which device you use, so this page belongs to none. "
                + "Let it send X-Forwarded-For."
        case .stranger:
            "This page came through \(proxy), which says that it is a proxy. All devices behind it count as that one. "
                + "If it is yours, start this server with --behind-proxy \(proxy)."
        case nil: nil
        }
    }
}

/// Finds out who asks through a reverse proxy, before anything else looks at the visit. The rule is `ReverseProxies`.
struct ProxyCheck: RouterMiddleware {
    typealias Context = Visit
    let proxies: ReverseProxies
    let ownNames: @Sendable () -> OwnNames
    /// Whether an address is in the home.
    let admits: @Sendable (String) -> Bool

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        var visit = context
        guard let word = proxies.word(of: IPAddress(visit.address), request.values) else {
            if request.namesProxy { visit.through = ThroughProxy(proxy: visit.address, gap: .stranger) }
            return try await next(request, visit)
        }
        visit.through = ThroughProxy(proxy: visit.address, gap: word.client == nil ? .silent : nil)
        visit.address = word.client?.text ?? NetworkAddress.unknown
        visit.isSecure = word.isSecure ?? visit.isSecure
        if request.namesProxy, let host = request.host, visit.ownHosts.contains(host) {
            return Response.refusal(
                "The reverse proxy hides which address you opened. In nginx, write: proxy_set_header Host $http_host;",
                .misdirectedRequest, visit)
        }
        // Somebody outside of the home could add the second field and be nobody in particular.
        if word.isContradictory {
            return Response.refusal(
                "The reverse proxy says in X-Forwarded-For and in Forwarded that different devices ask. "
                    + "In nginx, write: proxy_set_header Forwarded \"\";", .forbidden, visit)
        }
        if let client = word.client, !admits(client.text) {
            return Response.refusal(
                "These pages are only for devices on this home's network. You ask from \(client.text). "
                    + "Use one at home, without a VPN.", .forbidden, visit)
        }
        if let host = request.host, ownNames().isOfProxy(host) {
            visit.through?.pages = "\(visit.isSecure ? "https" : "http")://\(host.lowercased())"
        }
        return try await next(request, visit)
    }
}

extension ReverseProxies {
    /// The client for whom a trusted reverse proxy asks; nil for every other peer, and if the proxy does not say.
    func client(of request: Request, from visit: Visit) -> IPAddress? {
        word(of: IPAddress(visit.address), request.values)?.client
    }
}

extension Visit {
    /// Address and port of this server's end, as Hosts write them: a proxy that does not pass the Host on sends these.
    fileprivate var ownHosts: [String] {
        guard let local = channel.localAddress, let port = local.port else { return [] }
        let text = NetworkAddress.text(of: local)
        let address = text.contains(":") ? "[\(text)]" : text
        return ["\(address):\(port)"] + ([80, 443].contains(port) ? [address] : [])
    }
}

extension Request {
    /// Whether a proxy on the way names itself (RFC 9110, 7.6.3; RFC 7239).
    fileprivate var namesProxy: Bool {
        ["Via", "Forwarded", "X-Forwarded-For"].contains { !values($0).isEmpty }
    }

    fileprivate func values(_ name: String) -> [String] {
        HTTPField.Name(name).map { headers[values: $0] } ?? []
    }
}
