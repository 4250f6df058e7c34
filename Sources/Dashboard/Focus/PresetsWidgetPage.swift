import Pages
import Policy

/// "MonoFocus Presets": three links in a row for the corner of a display or a home screen, never live
///.
///
/// GET `/widget/presets?person=N`; it shows nothing about anybody, so it needs no login.
package struct PresetsWidgetPage: Page {
    package static let template = "focus-presets"

    struct Link {
        /// `25`.
        let label: String
        let hint: String
        let href: String
    }

    package let title = "MonoFocus Presets"
    let links: [Link]

    /// - Parameter person: the person whose timer the links start; nil means the asking device's person.
    package init(person: String? = nil) {
        let query = person.flatMap(FormReading.wholeNumber).map { "&person=\($0)" } ?? ""
        links = Preset.all.map {
            Link(
                label: $0.widgetLabel, hint: "Start \($0.minutes) minutes of focus", href: $0.path + query)
        }
    }
}
