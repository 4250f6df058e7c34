/// A calm page for a request that led nowhere: what happened, and what to do next.
package struct ErrorPage: Page {
    package static let template = "error"

    package let title: String
    package let status: Int
    package let text: String
    /// What the server says about this case, for example why a strict session refuses; nil: nothing more.
    package let reason: String?
    /// Whether trying the same again can help.
    package let canRetry: Bool

    package init(status: Int, reason: String? = nil) {
        self.status = status
        self.reason = reason
        canRetry = [408, 429, 500, 502, 503, 504].contains(status)
        (title, text) = Self.words(status)
    }

    private static func words(_ status: Int) -> (title: String, text: String) {
        switch status {
        case 400: ("That did not make sense", "The request could not be read. Go back and try once more.")
        case 403:
            (
                "This form is out of date",
                "It came from an older login or from another site, so nothing was changed. Go back, reload the page and try again."
            )
        case 404: ("Nothing here", "There is no page at this address.")
        case 405: ("Not like that", "This address does not take that kind of request.")
        case 409: ("Not now", "Nothing was changed.")
        case 413: ("Too much at once", "What was sent is larger than any form of ours. Nothing was changed.")
        case 422: ("Not quite", "Something in the form could not be used. Nothing was changed.")
        case 429: ("One moment", "Too many tries from this device. Wait a little, then try again.")
        case 503: ("The server is busy", "It will answer again in a moment. Blocking goes on as planned.")
        default:
            ("Something went wrong here", "It is written in the server's log. Blocking goes on as planned.")
        }
    }
}
