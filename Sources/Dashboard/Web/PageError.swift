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
