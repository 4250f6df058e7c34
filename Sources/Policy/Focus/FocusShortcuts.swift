import Foundation

/// The two iOS shortcuts that a person can run by hand; empty: none.
package struct FocusShortcuts: Hashable, Codable, Sendable {
    package var dndShortcutName: String
    package var grayscaleShortcutName: String

    package init(dndShortcutName: String = "", grayscaleShortcutName: String = "") {
        self.dndShortcutName = dndShortcutName
        self.grayscaleShortcutName = grayscaleShortcutName
    }

    /// The link that runs a shortcut; nil for an empty name.
    package static func link(_ name: String) -> String? {
        // Encodes every character that has a meaning in a query, `&`, `+` and `#` too.
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        guard !name.isEmpty, let encoded = name.addingPercentEncoding(withAllowedCharacters: unreserved)
        else { return nil }
        return "shortcuts://run-shortcut?name=\(encoded)"
    }

    /// Cleaned like names; each may be empty.
    package func checked() throws(Refusal) -> FocusShortcuts {
        FocusShortcuts(
            dndShortcutName: try Self.checked(dndShortcutName),
            grayscaleShortcutName: try Self.checked(grayscaleShortcutName))
    }

    private static func checked(_ typed: String) throws(Refusal) -> String {
        CleanName.cleaned(typed).isEmpty ? "" : try CleanName.checked(typed)
    }
}
