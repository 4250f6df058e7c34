import Foundation
package import Policy

/// A question with the buttons that answer it: POST to `action` with `answer=grant|decline`, and `from` for the page to
/// return to.
package struct QuestionRow: Sendable {
    package let id: String
    /// `/requests/{id}`
    package let action: String
    /// `Ada`
    package let who: String
    /// `15 more minutes of TikTok`, `no bedtime tonight`.
    package let what: String
    /// In the asking person's own words.
    package let reason: String?
    /// `21:10`
    package let askedAt: String

    package init(_ question: Question, catalog: Catalog, clock: ClockFace) {
        id = question.id.uuidString
        action = "/requests/\(question.id.uuidString)"
        who = question.name
        what = question.about.words(in: catalog)
        reason = question.reason
        askedAt = clock.time(question.askedAt)
    }
}

extension Site {
    /// The open questions on every page with the bar: the first with its buttons, and how many more there are. It is
    /// there without a question too, because a script puts in what is asked while the page is open.
    struct Asked {
        /// The numbers of all open questions, with spaces between them.
        let ids: String
        let first: QuestionRow?
        /// `2 more`
        let more: String?
        /// The page to which an answer leads back.
        let from: String
        /// Where the script gets this part of the page anew.
        let source: String

        /// Nil on the pages that show the questions themselves.
        init?(_ questions: [QuestionRow], from: String) {
            guard !from.hasPrefix("/requests"), !from.hasPrefix("/limits/requests") else { return nil }
            ids = questions.map(\.id).joined(separator: " ")
            first = questions.first
            more = questions.count > 1 ? "\(questions.count - 1) more" : nil
            self.from = from
            source =
                "/requests/bar?from=\(from.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")"
        }
    }
}
