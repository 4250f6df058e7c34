import HTTPTypes
import Hummingbird

/// A request that leads nowhere, as a page says it: the status and a sentence that a person can act on.
struct PageError: Error {
    let status: HTTPResponse.Status
    let reason: String?
    let headers: HTTPFields
    /// A change that the disk did not take.
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
    /// 303 to the login for a page, which then leads back; 401 for a script.
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
