/// Who changed something, as the log keeps it: no name but those of people, devices and programs of this household.
package struct Hand: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A browser that gave the passcode.
        case signedIn
        /// The asking device's own person, without a passcode.
        case ownDevice
        /// A program with a token of the API.
        case program
        /// The command line, on the machine itself.
        case machine
    }

    /// The most that is kept of the words, in characters.
    package static let longest = 200

    package let kind: Kind
    /// `by Ada, on iPad`, `on Ada's phone, without the passcode`, `by the program homeassistant`.
    package let words: String

    package init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = String(String.UnicodeScalarView(words.unicodeScalars.prefix(Self.longest)))
    }

    package static let machine = Hand(.machine, "on the machine itself")
}
