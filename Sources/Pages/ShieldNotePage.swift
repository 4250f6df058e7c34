import Policy

/// A short message on a blocked Host, after a press or about a refused one. It always offers a way on.
package struct ShieldNotePage: Page {
    package static let template = "shield-note"

    /// A link below the message.
    package struct Way: Sendable {
        package let label: String
        package let path: String

        package init(_ label: String, to path: String) {
            self.label = label
            self.path = path
        }
    }

    package let title: String
    package let text: String?
    package let way: Way?
    /// Nothing is left to do here: a black page, which a script tries to close.
    package let isFarewell: Bool

    package init(_ title: String, _ text: String, way: Way?) {
        self.title = title
        self.text = text
        self.way = way
        isFarewell = false
    }

    /// After "I'll do it".
    /// - Parameter timer: where the suggestion's timer is.
    package static func left(timer: String) -> ShieldNotePage {
        ShieldNotePage(
            farewell: "Good. You can close this.",
            way: Way("\(Int(SuggestionTimer.duration / 60))-minute timer", to: timer))
    }

    /// After a suggestion's timer.
    package static let wellDone = ShieldNotePage(farewell: "Well done", "You can close this.")

    private init(farewell title: String, _ text: String? = nil, way: Way? = nil) {
        self.title = title
        self.text = text
        self.way = way
        isFarewell = true
    }
}
