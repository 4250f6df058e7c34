import HTTPTypes
import Hummingbird

/// Before the household is set up, all pages lead to the gate, except set-up and the few that need no household
///.
struct Gate: RouterMiddleware {
    typealias Context = Visit
    let desk: Desk

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if desk.isSetUp || Self.open.contains(path) || path.hasPrefix("/assets/") {
            return try await next(request, context)
        }
        if path.hasPrefix("/api/") {
            guard case .bearer = context.credential else { throw Problem(.unauthorized) }
            throw Problem(.notSetUp)
        }
        return Response(status: .seeOther, headers: [.location: "/"])
    }

    private static let open: Set = [
        "/", "/setup", "/anti-rot", "/healthz", "/captive-portal", "/manifest.webmanifest", "/favicon.ico",
        "/apple-touch-icon.png", "/apple-touch-icon-precomposed.png", "/robots.txt",
    ]
}

/// Lets in browsers with a login; sends all others to the log-in page.
struct LoginGate: RouterMiddleware {
    typealias Context = Visit
    let desk: Desk

    func handle(
        _ request: Request, context: Visit, next: (Request, Visit) async throws -> Response
    ) async throws -> Response {
        guard context.login != nil else {
            // It may be kept until after the log-in.
            if request.method == .post { _ = try? await desk.form(request, context) }
            throw PageError.loginNeeded(request)
        }
        return try await next(request, context)
    }
}
