import HTTPTypes
import Hummingbird

/// A request that leads nowhere, as a page says it: the status and a sentence that a person can act on.
struct PageError: Error {
    let status: HTTPResponse.Status
    let reason: String?
    let headers: HTTPFields

    init(_ status: HTTPResponse.Status, _ reason: String? = nil, headers: HTTPFields = [:]) {
        self.status = status
        self.reason = reason
        self.headers = headers
    }
}
