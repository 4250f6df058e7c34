package import Policy

/// A face beside a name: letters in the category's colour for an app, a person's initials, a glyph for a kind of
/// device. Screen readers pass over it, because the name stands beside it; no brand's logo is ever drawn.
///
/// Colours are the classes `tile-…` of `controls.css`.
package struct Tile: Sendable {
    package let colour: String
    /// At most two; empty for a device.
    package let letters: String
    /// The path of a 24 × 24 drawing, stroked; nil for apps and people.
    package let glyph: String?

    private init(_ colour: String, letters: String = "", glyph: String? = nil) {
        self.colour = colour
        self.letters = letters
        self.glyph = glyph
    }

    package init(_ app: App) { self.init(app.category, letters: Self.monogram(app.name)) }

    package init(_ category: Category) { self.init(category.id, letters: Self.monogram(category.name)) }

    /// One of eight colours, by the person's number, so that it stays when the name changes.
    package init(_ person: Person) {
        self.init("person-\(person.id.rawValue % 8)", letters: Self.initials(person.name))
    }

    /// By its kind; where nobody said one, by what its name suggests.
    package init(_ device: Device) {
        self.init("device", glyph: (device.guessedKind ?? device.kind).glyph)
    }

    /// `In` for Instagram, `GM` for Google Maps.
    static func monogram(_ name: String) -> String {
        let words = words(name)
        guard let first = words.first else { return "" }
        return words.count > 1 ? initials(name) : first.prefix(1).uppercased() + first.dropFirst().prefix(1)
    }

    /// `M` for Mia, `AL` for Anna Lena.
    static func initials(_ name: String) -> String {
        words(name).prefix(2).map { $0.prefix(1).uppercased() }.joined()
    }

    /// Without the small ones between: `Video and television` is VT.
    private static func words(_ name: String) -> [Substring] {
        name.split { !$0.isLetter && !$0.isNumber }.filter { !["and", "of", "the"].contains($0) }
    }
}

extension Device.Kind {
    /// What this kind looks like, as the path of a 24 × 24 drawing.
    package var glyph: String {
        switch self {
        case .phone:
            "M9 2.8h6a2.5 2.5 0 0 1 2.5 2.5v13.4a2.5 2.5 0 0 1-2.5 2.5H9a2.5 2.5 0 0 1-2.5-2.5V5.3A2.5 2.5 0 0 1 9 2.8zM11 18h2"
        case .tablet: "M6 3h12a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM10.5 18h3"
        case .computer: "M5.5 5h13A1.5 1.5 0 0 1 20 6.5V16H4V6.5A1.5 1.5 0 0 1 5.5 5zM2 19h20"
        case .television:
            "M4.5 5h15A1.5 1.5 0 0 1 21 6.5v9a1.5 1.5 0 0 1-1.5 1.5h-15A1.5 1.5 0 0 1 3 15.5v-9A1.5 1.5 0 0 1 4.5 5zM8 20h8"
        case .console:
            "M7.5 7h9a5 5 0 0 1 5 5.6l-.4 3a2.3 2.3 0 0 1-4.2 1L15.5 15h-7l-1.4 1.6a2.3 2.3 0 0 1-4.2-1l-.4-3A5 5 0 0 1 7.5 7zM8 9.5v3M6.5 11h3M16 10.2v.1M17.5 12v.1"
        case .speaker:
            "M8.5 3h7A1.5 1.5 0 0 1 17 4.5v15a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 7 19.5v-15A1.5 1.5 0 0 1 8.5 3zM12 7v.1M12 11.5a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z"
        case .medical: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7.5v9M7.5 12h9"
        case .safety: "M12 3l7 2.5V11c0 4.6-3 8.2-7 10-4-1.8-7-5.4-7-10V5.5zM9 12l2.2 2.2L15.2 10"
        case .other:
            "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.6 9.5a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.2 1-1.2 1.9M12 16.6v.1"
        }
    }
}
