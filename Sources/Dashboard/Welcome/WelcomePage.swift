import Pages

/// The gate: the first page, until the household is set up. Its button leads to `/setup`.
package struct WelcomePage: Page {
    package static let template = "welcome"

    package let title = "Welcome"
    /// What went wrong at the start, for example a port that could not be bound.
    package let error: String?

    package init(error: String? = nil) { self.error = error }
}
