/// A calm page for a failed request: what happened, and what to do next.
package struct ErrorPage: Page {
    package static let template = "error"

    package let title: String
    package let status: Int
    /// Nil if the reason says everything.
    package let text: String?
    /// The server's reason, for example why a strict session refuses; nil if there is no more to say.
    package let reason: String?
    /// Whether trying the same again can help.
    package let canRetry: Bool
    /// Whether the page about the household's machines can help.
    package let isCutOff: Bool
    /// A form that was not saved, to send again.
    package let kept: Kept?

    /// A form as it was sent.
    package struct Kept: Sendable {
        struct Field: Sendable {
            let name: String
            let value: String
        }

        package let action: String
        /// The page on which it was, for a form that did not come in time; nil if it can be sent again as it is.
        package let page: String?
        let fields: [Field]

        package init(action: String, fields: [(name: String, value: String)], page: String? = nil) {
            self.action = action
            self.page = page
            self.fields = fields.map { Field(name: $0.name, value: $0.value) }
        }
    }

    /// `isUnsaved`: the disk or the household's other machines refused a change, and `reason` says why.
    package init(
        status: Int, reason: String? = nil, isUnsaved: Bool = false, isCutOff: Bool = false, kept: Kept? = nil
    ) {
        self.isCutOff = isCutOff
        self.kept = isUnsaved || status == 403 ? kept : nil
        self.status = status
        self.reason = reason
        canRetry = !isUnsaved && [408, 429, 500, 502, 503, 504].contains(status)
        let words = isUnsaved ? ("This could not be saved", "Nothing was changed.") : Self.words(status)
        title = words.0
        // If there is a reason for showing nothing, the page itself exists.
        text = status == 404 && reason != nil ? nil : words.1
    }

    private static func words(_ status: Int) -> (title: String, text: String) {
        switch status {
        case 400: ("This request is not readable", "Go back and try again.")
        case 401: ("Log in first", "This page is for the household only.")
        case 403:
            (
                "This form is out of date",
                "It came from an older login or from another site. Nothing was changed. Go back, reload the page and try again."
            )
        case 404: ("Nothing here", "There is no page at this address.")
        case 405: ("This does not work here", "This page does not accept this kind of request.")
        case 409: ("Not now", "Nothing was changed.")
        case 413: ("Too much at once", "This is too large to send. Nothing was changed.")
        case 415: ("Not in this form", "This page accepts only forms of this server. Nothing was changed.")
        case 421: ("Another server\u{2019}s name", "This server does not answer for that name.")
        case 422: ("Not quite", "Please check the form. Nothing was changed.")
        case 429: ("One moment", "Too many attempts from this device. Wait a moment, then try again.")
        case 431:
            ("Too much at once", "The request\u{2019}s header fields are larger than this server takes.")
        case 503: ("The server is busy", "Try again in a moment. Blocking goes on as planned.")
        case 400..<500: ("That did not work", "This server cannot answer this request.")
        default:
            (
                "Something went wrong here",
                "You find the error in the server's log. Blocking goes on as planned."
            )
        }
    }
}
