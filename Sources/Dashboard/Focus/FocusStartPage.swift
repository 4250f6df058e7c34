import Pages
package import Policy

/// The target of a deep link: the page posts the start once by script, or with its button.
///
/// GET `/start?minutes=N` or `/start?link=web%2Bmonofocus%3A%2F%2Fstart%3Fminutes%3DN`; GET starts nothing, so that a
/// prefetch, a preview or a reload starts nothing either.
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
