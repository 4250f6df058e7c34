/// The initial values of the form for asking, and why it was refused.
package struct AskDraft: Sendable {
    /// The chosen app, or the app of the shield that led here.
    package var app: String?
    package var error: String?

    package init(app: String? = nil, error: String? = nil) {
        self.app = app
        self.error = error
    }
}
