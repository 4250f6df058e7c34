import Policy

/// The section "Automation": two shortcuts that the person runs by hand.
struct FocusAutomation: Sendable {
    struct Shortcut {
        /// The field's name: `dnd` or `grayscale`.
        let field: String
        /// `Do Not Disturb`.
        let name: String
        let value: String
        let placeholder: String
        /// Runs the shortcut; nil if the name is empty or was refused.
        let link: String?
        let error: String?
    }

    let shortcuts: [Shortcut]

    init(_ stored: FocusShortcuts, refused: FocusPage.Refused?) {
        func shortcut(_ field: String, _ name: String, _ stored: String, _ placeholder: String) -> Shortcut {
            let error = refused?.errors[field]
            return Shortcut(
                field: field, name: name, value: refused?.typed[field] ?? stored, placeholder: placeholder,
                link: FocusShortcuts.link(stored), error: error)
        }
        shortcuts = [
            shortcut("dnd", "Do Not Disturb", stored.dndShortcutName, "MonoFocus DND"),
            shortcut("grayscale", "Grayscale", stored.grayscaleShortcutName, "MonoFocus Grayscale"),
        ]
    }
}
