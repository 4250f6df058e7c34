package import Foundation

/// The links of one notice with which its reader answers a question: without a login, once, and as long as the question
/// is open (`Question.takesLinks`).
package struct AnswerLinks: Hashable, Sendable {
    /// The question's identity.
    package let question: UUID
    /// `http://192.168.1.5/answer/{token}`: a page with both answers.
    package let page: String

    /// - Parameters:
    ///   - server: this server's address, without a slash at its end.
    ///   - token: at least 128 random bits, in letters, digits, `-` and `_`.
    package init(question: UUID, server: String, token: String) {
        self.question = question
        page = "\(server)/answer/\(token)"
    }

    package var yes: String { page + "/yes" }
    package var no: String { page + "/no" }

    /// The `Actions` header of ntfy, in its short form: two requests that answer at once, and the page for apps that
    /// send no requests.
    package var ntfyActions: String {
        "http, Yes, \(yes), method=POST, clear=true; http, No, \(no), method=POST, clear=true; view, Open, \(page)"
    }
}
