package import Directory
import HTTPTypes
import Hummingbird
import Policy

extension OwnNames {
    /// Whether a `Host` header names this server. Any other is a foreign name that leads here, or DNS rebinding.
    package func contains(_ host: String) -> Bool { contains(HostValue(host)) }

    /// Whether a `Host` header is a name that a reverse proxy has for this server.
    func isOfProxy(_ host: String) -> Bool {
        if case .name(let name) = HostValue(host) { proxyNames.contains(name) } else { false }
    }

    /// The one-time name in a `Host` header (`SetupCheck`); nil for every other Host.
    func checkName(in host: String) -> (id: String, family: SetupCheck.Family)? {
        guard case .name(let bare) = HostValue(host), bare.hasSuffix(".check.\(name)") else { return nil }
        let labels = bare.dropLast(".check.\(name)".count).split(
            separator: ".", omittingEmptySubsequences: false)
        let families: [Substring: SetupCheck.Family] = ["4": .v4, "6": .v6]
        guard let id = labels.last, labels.count <= 2, id.utf8.count == 32,
            id.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
            let family = labels.count == 1 ? .either : families[labels[0]]
        else { return nil }
        return (String(id), family)
    }
}

/// Answers foreign Hosts with 421 and one line, before anything else. The front door let the connection in by its first
/// Host, but a later request on it can have another.
struct HostCheck: RouterMiddleware {
    typealias Context = Visit
    let ownNames: @Sendable () -> OwnNames

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        // A request with two Hosts is invalid (RFC 9112, 3.2); the framework keeps the second one among the fields.
        guard request.headers[.init("Host")!] == nil else {
            return Response.refusal("There are two Hosts in this request.", .badRequest, context)
        }
        let own = ownNames()
        guard let host = request.host,
            own.contains(host) || request.isCheckImage && own.checkName(in: host) != nil
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
