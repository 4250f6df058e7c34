import HTTPTypes
import Hummingbird

/// A failed request, as a page shows it: the status, and a sentence that helps.
struct PageError: Error {
    let status: HTTPResponse.Status
    let reason: String?
    let headers: HTTPFields
    /// Whether the disk refused the change.
    let isUnsaved: Bool

    init(
        _ status: HTTPResponse.Status, _ reason: String? = nil, headers: HTTPFields = [:],
        isUnsaved: Bool = false
    ) {
        self.status = status
        self.reason = reason
        self.headers = headers
        self.isUnsaved = isUnsaved
    }
}

extension PageError {
    /// For a page, 303 to the login, which then leads back; for a script, 401.
    static func loginNeeded(_ request: Request) -> PageError {
        let isPage = request.headers[.accept].map { $0.contains("text/html") || $0.contains("*/*") } ?? true
        guard isPage, !["/events", "/state"].contains(request.uri.path) else {
            return PageError(.unauthorized, headers: [.wwwAuthenticate: "Bearer"])
        }
        let isReturnable = request.method == .get || request.method == .head
        let next =
            isReturnable && request.uri.path != "/" ? "?next=\(request.uri.description.queryEscaped)" : ""
        return PageError(.seeOther, headers: [.location: "/login\(next)"])
    }
}
