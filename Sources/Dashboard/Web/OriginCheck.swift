import HTTPTypes
import Hummingbird

/// Refuses requests that another site makes a browser send: checks `Origin` and `Sec-Fetch-Site` if they are there.
struct OriginCheck: RouterMiddleware {
    typealias Context = Visit

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        guard request.method != .get, request.method != .head else { return try await next(request, context) }
        if let origin = request.headers[.origin] {
            guard let host = request.head.authority, origin.isOrigin(of: host) else { throw Self.refusal }
        }
        if let site = request.headers[.init("Sec-Fetch-Site")!] {
            guard ["same-origin", "none"].contains(site) else { throw Self.refusal }
        }
        return try await next(request, context)
    }

    private static let refusal = PageError(.forbidden, "This request came from another site.")
}

extension String {
    /// Whether an `Origin` header belongs to a Host: a scheme with the same name and port.
    fileprivate func isOrigin(of host: String) -> Bool {
        let origin = lowercased()
        let host = host.lowercased()
        return ["http": ":80", "https": ":443"].contains { scheme, port in
            let bare = host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
            return origin == "\(scheme)://\(bare)" || origin == "\(scheme)://\(bare)\(port)"
        }
    }
}
