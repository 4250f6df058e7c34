import HTTPTypes
import Hummingbird
import Pages

/// What a browser loads by itself: the files of `Public/`, and how the page gets on a home screen.
struct HomeScreenRoutes: Sendable {
    let desk: Desk
    let statics: StaticFiles

    /// How the bookmark gets on a phone (UR-009).
    func homeScreen(_ request: Request, _ visit: Visit) throws -> Response {
        let client = ClientSystem(request)
        let system = [.ios, .android].contains(client) ? client.rawValue : nil
        return try desk.page(
            HomeScreenPage(address: desk.configuration.address, system: system), request, visit)
    }

    func manifest(_ request: Request, _ visit: Visit) throws -> Response {
        guard let response = statics.response("manifest.webmanifest", to: request) else {
            throw PageError(.notFound)
        }
        return response
    }

    /// A file of `Public/` at `/assets/…`.
    func asset(_ request: Request, _ visit: Visit) throws -> Response {
        let path = String(request.uri.path.dropFirst("/assets/".count))
        guard let response = statics.response(path, to: request) else { throw PageError(.notFound) }
        return response
    }

    /// The names that browsers and phones try by themselves.
    func wellKnownIcon(_ file: String) -> @Sendable (Request, Visit) throws -> Response {
        { request, _ in
            guard let response = statics.response(file, to: request) else { throw PageError(.notFound) }
            return response
        }
    }

    /// Nothing here is for search engines.
    func robots(_ request: Request, _ visit: Visit) -> Response {
        .text("User-agent: *\nDisallow: /")
    }
}
