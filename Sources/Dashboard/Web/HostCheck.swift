import HTTPTypes
import Hummingbird

/// The server's own Hosts: its name, the machine's name (also with `.local`), `localhost` and any IP literal, at any
/// port. Everything else is somebody else's name that leads here, or DNS rebinding.
package struct OwnHosts: Sendable {
    private let names: Set<String>

    /// `name` is the server's own, for example `sleep.home.arpa`; `machine` is the machine's host name.
    package init(name: String, machine: String? = nil) {
        var names: Set = ["localhost", name.lowercased()]
        if let machine = machine?.lowercased(), !machine.isEmpty {
            names.insert(machine)
            names.insert("\(machine).local")
        }
        self.names = names
    }

    /// Whether a `Host` header names this server.
    package func contains(_ host: String) -> Bool {
        guard let bare = Self.withoutPort(host.lowercased()) else { return false }
        if bare.hasPrefix("[") {
            return bare.hasSuffix("]") && NetworkAddress.canonical(String(bare.dropFirst().dropLast())) != nil
        }
        let name = bare.hasSuffix(".") ? String(bare.dropLast()) : bare
        return names.contains(name) || (!name.contains(":") && NetworkAddress.canonical(name) != nil)
    }

    private static func withoutPort(_ host: String) -> String? {
        let end = host.lastIndex(of: "]") ?? host.startIndex
        guard let colon = host[end...].lastIndex(of: ":") else { return host }
        let port = host[host.index(after: colon)...]
        guard port.utf8.allSatisfy({ (48...57).contains($0) }), port.count <= 5 else { return nil }
        return String(host[..<colon])
    }
}

/// Answers other people's Hosts with 421 and a bare line, before anybody is recognised: the shield took the
/// connection, but a later request on it may lie.
struct HostCheck: RouterMiddleware {
    typealias Context = Visit
    let hosts: OwnHosts

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        // Two Hosts are no request at all (RFC 9112, 3.2); the framework keeps the second among the fields.
        guard request.headers[.init("Host")!] == nil else {
            return Self.refusal("There are two Hosts in this request.", .badRequest, context)
        }
        guard let host = request.host, hosts.contains(host) else {
            return Self.refusal("This server does not answer for that Host.", .misdirectedRequest, context)
        }
        return try await next(request, context)
    }
    private static func refusal(_ text: String, _ status: HTTPResponse.Status, _ visit: Visit) -> Response {
        var response = HomeSite.text(text, status: status)
        SecurityHeaders.dress(&response, isSecure: visit.isSecure)
        return response
    }
}

extension Request {
    /// Whom the request is for: a target in absolute form names the Host itself (RFC 9112, 3.2.2).
    fileprivate var host: String? {
        guard let target = head.path, !target.hasPrefix("/"), let host = uri.host else {
            return head.authority
        }
        return uri.port.map { "\(host):\($0)" } ?? host
    }
}
