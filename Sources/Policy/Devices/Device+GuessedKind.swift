extension Device {
    /// What it may be by what the network calls it, for a form to begin with; nothing is decided by it, and nobody is
    /// ever guessed to be medical or safety.
    package var guessedKind: Kind? {
        kind == .other ? Self.guessedKind(of: networkName ?? name) : nil
    }

    /// The same of a bare name.
    package static func guessedKind(of name: String) -> Kind? {
        let text = name.lowercased()
        let words = Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        return signs.first { sign in
            sign.words.contains { words.contains($0) } || sign.parts.contains { text.contains($0) }
        }?.kind
    }

    /// In this order: a "galaxy-tab" is a tablet before it is a phone. Short words count only when they stand alone.
    private static let signs: [(kind: Kind, words: Set<String>, parts: [String])] = [
        (.tablet, ["tab", "tablet"], ["ipad", "galaxy-tab", "kindle"]),
        (
            .television, ["tv", "fernseher"],
            ["appletv", "apple-tv", "chromecast", "bravia", "firetv", "fire-tv", "roku", "webos"]
        ),
        (.console, ["ps4", "ps5", "switch", "wii"], ["playstation", "xbox", "nintendo", "steamdeck"]),
        (.speaker, ["echo", "alexa"], ["homepod", "sonos", "google-home", "nest-mini"]),
        (
            .computer, ["pc", "laptop", "imac"],
            ["macbook", "mac-mini", "macmini", "notebook", "thinkpad", "desktop-", "laptop-"]
        ),
        (
            .phone, ["phone", "android", "pixel", "galaxy", "handy"],
            ["iphone", "android-", "pixel-", "-phone", "fairphone"]
        ),
    ]
}
