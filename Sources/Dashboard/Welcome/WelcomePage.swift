import Pages

/// The gate: the first page, until the household is set up (SI-076 to SI-079). Its button leads to `/setup`.
package struct WelcomePage: Page {
    package static let template = "welcome"

    package let title = "Welcome"
    /// What went wrong at the start, for example a port that could not be bound (SI-075).
    package let error: String?

    package init(error: String? = nil) { self.error = error }
}
