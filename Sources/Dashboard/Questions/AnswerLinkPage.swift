import Foundation
package import Pages
import Policy

/// The page of a link in a notice: GET asks once more with a button, POST `/answer/{token}/yes` or `/no` answers.
package struct AnswerLinkPage: Page {
    package static let template = "answer-link"

    package enum State: Sendable {
        /// Asks, with a button for each answer that the link offers.
        case asks(yes: Bool, no: Bool)
        /// This press answered the question.
        case answered(yes: Bool)
        /// Somebody answered it before.
        case known(yes: Bool)
        /// The rules refuse this answer now; the reason.
        case refused(String)
        /// The question is over, or the link is too old.
        case over
    }

    /// A button.
    struct Answer: Sendable {
        let label: String
        let style: String
        let action: String
    }

    package let title: String
    /// Nil if the question no longer exists.
    let row: QuestionRow?
    let text: String
    let answers: [Answer]

    /// - Parameter effect: what a yes does, in a sentence.
    package init(_ state: State, row: QuestionRow? = nil, effect: String = "", token: String = "") {
        var answers: [Answer] = []
        switch state {
        case .asks(let yes, let no):
            (title, text) = (
                yes && no ? "A request" : yes ? "Say yes?" : "Say no?", yes ? effect : "Nothing changes."
            )
            if yes { answers.append(Answer(label: "Yes", style: "primary", action: "/answer/\(token)/yes")) }
            if no {
                answers.append(
                    Answer(label: "No", style: yes ? "secondary" : "primary", action: "/answer/\(token)/no"))
            }
        case .answered(let yes):
            (title, text) = yes ? ("You said yes", effect) : ("You said no", "Nothing was changed.")
        case .known(let yes):
            (title, text) = ("Answered", "This question was already answered: \(yes ? "yes" : "no").")
        case .refused(let reason): (title, text) = ("Not now", reason)
        case .over:
            (title, text) = ("This link is over", "The question is no longer open. You have nothing to do.")
        }
        self.row = row
        self.answers = answers
    }
}
