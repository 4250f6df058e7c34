import Hummingbird

/// Describes the API for programs: a file that tells nothing of this household. `test_api_description` holds it to what
/// the server takes and answers.
struct APIDescription: Sendable {
    let statics: StaticFiles

    func file(_ request: Request, _ visit: Visit) throws -> Response {
        guard let response = statics.response("openapi.json", to: request) else { throw Problem(.notFound) }
        return response
    }
}
