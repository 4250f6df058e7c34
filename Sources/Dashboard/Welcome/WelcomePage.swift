import Pages

/// The gate: what a browser meets before anything is set up (SI-076 to SI-079). Its button leads to `/setup`.
package struct WelcomePage: Page {
    package static let template = "welcome"

    package let title = "Welcome"
    /// Why the gate did not open, for example a port that could not be bound (SI-075).
    package let error: String?

    package init(error: String? = nil) { self.error = error }
}
