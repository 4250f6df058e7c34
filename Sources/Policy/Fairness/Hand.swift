/// Who changed something, as the log keeps it. It names only people, devices and programs of this household.
package struct Hand: Codable, Hashable, Sendable {
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// A browser in which the passcode was entered.
        case signedIn
        /// The person of the asking device, without a passcode.
        case ownDevice
        /// A program with an API token.
        case program
        /// The command line, on the machine itself.
        case machine
    }

    /// The longest text that is kept, in characters.
    package static let longest = 200

    package let kind: Kind
    /// `by Ada, on iPad`, `on Ada's phone, without the passcode`, `by the program homeassistant`.
    package let words: String

    package init(_ kind: Kind, _ words: String) {
        self.kind = kind
        self.words = String(words.unicodeScalars.prefix(Self.longest))
    }

    package static let machine = Hand(.machine, "on the machine itself")
}
