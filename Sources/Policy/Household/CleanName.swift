import Foundation

/// Names that people give to people, devices and apps.
package enum CleanName {
    /// Characters.
    package static let maximum = 60

    /// Drops controls and white space around the name; refuses an empty or too long one.
    static func checked(_ typed: String) throws(Refusal) -> String {
        let name = cleaned(typed)
        guard !name.isEmpty else { throw .nameMissing }
        guard isShort(name) else { throw .nameTooLong }
        return name
    }

    /// Like a name, but may be empty.
    static func checkedLabel(_ typed: String) throws(Refusal) -> String {
        let label = cleaned(typed)
        guard isShort(label) else { throw .labelTooLong }
        return label
    }

    /// The longest reason of a question, in characters.
    package static let maximumReason = 140

    /// A question's reason in one line; nil if nothing is left of it.
    package static func checkedReason(_ typed: String?) throws(Refusal) -> String? {
        let reason = cleaned(typed ?? "")
        guard isShort(reason, maximumReason) else { throw .reasonTooLong }
        return reason.isEmpty ? nil : reason
    }

    /// One character can consist of many scalars; no name needs more than four each.
    private static func isShort(_ name: String, _ most: Int = maximum) -> Bool {
        name.count <= most && name.unicodeScalars.count <= 4 * most
    }

    /// Whether people would confuse the two names.
    static func looksLike(_ one: String, _ other: String) -> Bool {
        func folded(_ name: String) -> String {
            let joinerless = String(name.unicodeScalars.filter { $0 != "\u{200D}" && $0 != "\u{200C}" })
            return joinerless.precomposedStringWithCompatibilityMapping.lowercased()
        }
        return folded(one) == folded(other)
    }

    /// Drops controls and marks that change the direction of text; turns each run of white space into one space.
    package static func cleaned(_ text: String) -> String {
        let kept = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .lineSeparator, .paragraphSeparator:
                scalar.properties.isWhitespace
            // The two joiners that emoji and Persian letters need.
            case .format: scalar == "\u{200D}" || scalar == "\u{200C}"
            default: true
            }
        }
        return String(String.UnicodeScalarView(kept)).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
    }
}
