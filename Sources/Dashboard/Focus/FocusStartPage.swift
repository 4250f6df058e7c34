import Pages
package import Policy

/// Where a deep link leads: the page posts the start by itself, once, and by its button without script (T-11).
///
/// GET `/start?minutes=N` or `/start?link=web%2Bmonofocus%3A%2F%2Fstart%3Fminutes%3DN`; reading it starts nothing, so
/// that a prefetch, a preview or a reload does not.
package struct FocusStartPage: Page {
    package static let template = "focus-start"

    package let title = "Focus"
    let minutes: Int
    /// `25m`.
    let label: String

    package init(_ preset: Preset) {
        minutes = preset.minutes
        label = preset.label
    }
}
