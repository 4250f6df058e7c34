/// What the form for asking is filled in with, and why it was refused.
package struct AskDraft: Sendable {
    /// The app that was chosen, or that the shield was about.
    package var app: String?
    package var error: String?

    package init(app: String? = nil, error: String? = nil) {
        self.app = app
        self.error = error
    }
}
