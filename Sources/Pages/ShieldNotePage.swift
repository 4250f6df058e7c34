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
    package let text: String
    package let way: Way?
    /// After "I'll do it": a script tries to close the page (T-13).
    package let isFarewell: Bool

    package init(_ title: String, _ text: String, way: Way?) {
        self.title = title
        self.text = text
        self.way = way
        isFarewell = false
    }

    /// The calm page after "I'll do it" (TH-017).
    package static let wellDone = ShieldNotePage()

    private init() {
        title = "Well done"
        text = "You can close this."
        way = nil
        isFarewell = true
    }
}
