import HTTPTypes
import Hummingbird
import Policy

/// The server's own Hosts: its name, the machine's name (also with `.local`), `localhost`, the names that a reverse proxy
/// has for it, and any IP literal, at any port. Any other Host is a foreign name that leads here, or DNS rebinding.
package struct OwnHosts: Sendable {
    private let names: Set<String>
    private let proxyNames: Set<String>
    /// The server's own name; the set-up check's one-time names are below it.
    let name: String

    /// `name` is the server's own, for example `sleep.home.arpa`; `machine` is the machine's host name.
    package init(name: String, machine: String? = nil, proxyNames: [String] = []) {
        self.name = name.lowercased()
        self.proxyNames = Set(proxyNames.map { $0.lowercased() })
        var names = self.proxyNames.union(["localhost", name.lowercased()])
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
        let name = Self.withoutDot(bare)
        return names.contains(name) || (!name.contains(":") && NetworkAddress.canonical(name) != nil)
    }

    /// Whether a `Host` header is a name that a reverse proxy has for this server.
    func isOfProxy(_ host: String) -> Bool {
        Self.withoutPort(host.lowercased()).map { proxyNames.contains(Self.withoutDot($0)) } ?? false
    }

    /// The one-time name in a `Host` header (`SetupCheck`); nil for every other Host.
    func checkName(in host: String) -> (id: String, family: SetupCheck.Family)? {
        guard let bare = Self.withoutPort(host.lowercased()).map(Self.withoutDot),
            bare.hasSuffix(".check.\(name)")
        else { return nil }
        let labels = bare.dropLast(".check.\(name)".count).split(
            separator: ".", omittingEmptySubsequences: false)
        let families: [Substring: SetupCheck.Family] = ["4": .v4, "6": .v6]
        guard let id = labels.last, labels.count <= 2, id.utf8.count == 32,
            id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
            let family = labels.count == 1 ? .either : families[labels[0]]
        else { return nil }
        return (String(id), family)
    }

    private static func withoutDot(_ name: String) -> String {
        name.hasSuffix(".") ? String(name.dropLast()) : name
    }

    private static func withoutPort(_ host: String) -> String? {
        let end = host.lastIndex(of: "]") ?? host.startIndex
        guard let colon = host[end...].lastIndex(of: ":") else { return host }
        let port = host[host.index(after: colon)...]
        guard port.utf8.allSatisfy({ (48...57).contains($0) }), port.count <= 5 else { return nil }
        return String(host[..<colon])
    }
}

/// Answers foreign Hosts with 421 and one line, before anything else. The front door let the connection in by its first
/// Host, but a later request on it can have another.
struct HostCheck: RouterMiddleware {
    typealias Context = Visit
    let hosts: OwnHosts

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        // A request with two Hosts is invalid (RFC 9112, 3.2); the framework keeps the second one among the fields.
        guard request.headers[.init("Host")!] == nil else {
            return Response.refusal("There are two Hosts in this request.", .badRequest, context)
        }
        guard let host = request.host,
            hosts.contains(host) || request.isCheckImage && hosts.checkName(in: host) != nil
        else {
            return Response.refusal(
                "This server does not answer for that Host.", .misdirectedRequest, context)
        }
        return try await next(request, context)
    }
}

extension Request {
    /// The only request for which a one-time name is accepted.
    fileprivate var isCheckImage: Bool { uri.path == CheckRoutes.imagePath && method == .get }

    /// The host of the request: a target in absolute form names it itself (RFC 9112, 3.2.2).
    var host: String? {
        guard let target = head.path, !target.hasPrefix("/"), let host = uri.host else {
            return head.authority
        }
        return uri.port.map { "\(host):\($0)" } ?? host
    }
}
