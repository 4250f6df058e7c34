import Foundation

/// Names that people give to people, devices and apps.
package enum CleanName {
    /// In characters.
    package static let maximum = 60

    /// Without controls and without white space around it; refused when nothing is left, or too much.
    static func checked(_ typed: String) throws(Refusal) -> String {
        let name = cleaned(typed)
        guard !name.isEmpty else { throw .nameMissing }
        guard isShort(name) else { throw .nameTooLong }
        return name
    }

    /// As a name, but it may be empty.
    static func checkedLabel(_ typed: String) throws(Refusal) -> String {
        let label = cleaned(typed)
        guard isShort(label) else { throw .labelTooLong }
        return label
    }

    /// One character can be made of many scalars; nobody's name needs more than four each.
    private static func isShort(_ name: String) -> Bool {
        name.count <= maximum && name.unicodeScalars.count <= 4 * maximum
    }

    /// Whether a reader would take one for the other.
    static func looksLike(_ one: String, _ other: String) -> Bool {
        func folded(_ name: String) -> String {
            let joinerless = String(name.unicodeScalars.filter { $0 != "\u{200D}" && $0 != "\u{200C}" })
            return joinerless.precomposedStringWithCompatibilityMapping.lowercased()
        }
        return folded(one) == folded(other)
    }

    /// Controls are dropped, and the marks that turn the direction of a line; every white space is one space.
    package static func cleaned(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .lineSeparator, .paragraphSeparator:
                scalar.properties.isWhitespace
            // The two joiners of emoji and of Persian letters.
            case .format: scalar == "\u{200D}" || scalar == "\u{200C}"
            default: true
            }
        }
        return String(String.UnicodeScalarView(kept)).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
