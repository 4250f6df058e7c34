import Foundation
import HTTPTypes
import Hummingbird
import Pages

/// The files of `Public/`, some of which browsers load unasked, and how to put the page on a home screen.
struct HomeScreenRoutes: Sendable {
    let desk: Desk
    let statics: StaticFiles

    /// How to put the bookmark on a phone.
    func homeScreen(_ request: Request, _ visit: Visit) throws -> Response {
        let client = ClientSystem(request)
        let system = [.ios, .android].contains(client) ? client.rawValue : nil
        return try desk.page(
            HomeScreenPage(address: desk.pages, system: system), request, visit)
    }

    /// What the service worker keeps and shows while the server is away.
    func offline(_ request: Request, _ visit: Visit) throws -> Response {
        try desk.page(OfflinePage(), request, visit)
    }

    /// A file of `Public/` at `/assets/…`.
    func asset(_ request: Request, _ visit: Visit) throws -> Response {
        let path = String(request.uri.path.dropFirst("/assets/".count))
        guard let response = statics.response(path, to: request) else { throw PageError(.notFound) }
        return response
    }

    /// What an icon on a home screen opens; of the house without `app`.
    func manifest(_ request: Request, _ visit: Visit) throws -> Response {
        let app = request.uri.queryParameters["app"].map { HomeApp(rawValue: String($0)) } ?? .house
        guard let app else { throw PageError(.notFound) }
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(WebManifest(app, query: request.uri.query ?? ""))
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/manifest+json; charset=utf-8", .cacheControl: "no-cache",
                .contentLength: String(bytes.count),
            ],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// A file whose address is fixed: the icon names that browsers try unasked, and the service worker, which rules only
    /// what lies below its own address.
    func wellKnown(_ file: String) -> @Sendable (Request, Visit) throws -> Response {
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
