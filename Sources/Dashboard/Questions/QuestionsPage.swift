package import Pages

/// GET `/requests`: all open questions, each with its buttons.
package struct QuestionsPage: Page {
    package static let template = "questions"

    package let title = "Requests"
    let questions: [QuestionRow]
    let isEmpty: Bool
    /// The numbers of all of them, so that the script sees a new one.
    let ids: String
    /// An answer leads back here.
    let from = "/requests"

    package init(_ questions: [QuestionRow]) {
        self.questions = questions
        isEmpty = questions.isEmpty
        ids = questions.map(\.id).joined(separator: " ")
    }
}

/// GET `/requests/bar`: the parts about questions that every page has, for the script of an open page.
struct AskedBar: Page {
    static let template = "asked-bar"

    let title = "Requests"
}
