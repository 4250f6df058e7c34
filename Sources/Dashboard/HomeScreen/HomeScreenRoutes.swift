import HTTPTypes
import Hummingbird
import Pages

/// The files of `Public/`, some of which browsers load unasked, and how to put the page on a home screen.
struct HomeScreenRoutes: Sendable {
    let desk: Desk
    let statics: StaticFiles

    /// How to put the bookmark on a phone (UR-009).
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

    /// The icon names that browsers and phones try unasked.
    func wellKnownIcon(_ file: String) -> @Sendable (Request, Visit) throws -> Response {
        { request, _ in
            guard let response = statics.response(file, to: request) else { throw PageError(.notFound) }
            return response
        }
    }

    /// Keeps search engines out.
    func robots(_ request: Request, _ visit: Visit) -> Response {
        .text("User-agent: *\nDisallow: /")
    }
}
