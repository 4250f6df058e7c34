/// What may be a new passcode; an existing one goes on working.
package enum Passcode {
    package static let shortest = 6
    package static let longest = 128

    /// A new passcode that is refused.
    package struct Refused: Error, CustomStringConvertible {
        package let description: String
    }

    /// Throws `Refused` for what may not be a new passcode.
    package static func check(_ text: String) throws(Refused) {
        if let objection = objection(to: text) { throw Refused(description: "The passcode: \(objection)") }
    }

    /// Why a new passcode is refused; nil if it is accepted.
    package static func objection(to text: String) -> String? {
        if text.count < shortest { return "Please use at least \(shortest) characters." }
        if text.utf8.count > longest { return "Please use \(longest) characters at the most." }
        if text.allSatisfy(\.isWhitespace) { return "Please use more than spaces." }
        if isGuessedFirst(text.lowercased()) {
            return "This passcode is easy to guess. Choose another one."
        }
        return nil
    }

    private static func isGuessedFirst(_ text: String) -> Bool {
        let characters = Array(text)
        let isRepeated = (1...3).contains { length in
            characters.indices.dropFirst(length).allSatisfy { characters[$0] == characters[$0 - length] }
        }
        let isInOrder = rows.contains { $0.contains(text) || String($0.reversed()).contains(text) }
        return isRepeated || isInOrder || common.contains(text)
    }

    private static let rows = [
        "01234567890123456789", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop",
        "asdfghjkl", "zxcvbnm", "yxcvbnm",
    ]

    /// From public lists of leaked passwords: those with six characters or more that the rules above do not refuse.
    private static let common: Set = [
        "112233", "123321", "654321", "159753", "147258", "147258369", "789456", "741852", "123654", "102030",
        "135790", "246810", "101010", "100200", "147852", "963852", "password", "password1", "passwort",
        "passw0rd", "motdepasse", "contraseña", "passcode", "secret", "letmein", "welcome", "willkommen",
        "hallo123", "iloveyou", "princess", "dragon", "monkey", "football", "baseball", "sunshine", "shadow",
        "master", "superman", "batman", "pokemon", "minecraft", "fortnite", "starwars", "michael", "daniel",
        "jessica", "ashley", "charlie", "jordan", "hunter", "cookie", "flower", "summer", "winter", "family",
        "trustno1", "admin1", "admin123", "1q2w3e", "1q2w3e4r", "1qaz2wsx", "qwerty1", "qwerty123", "abc123",
        "abcd1234", "aa1234", "a1b2c3", "123abc", "123qwe", "qwe123", "test123", "changeme", "default",
        "whatever", "freedom", "internet", "computer", "bedtime", "goodnight", "sleepinducer",
        "sleep-inducer",
        "schlafen", "lollipop", "chocolate", "unicorn", "rainbow", "mustang", "soccer", "hockey", "killer",
        "666666", "696969", "007007", "123123", "1234qwer", "asdf1234", "zaq12wsx", "q1w2e3r4", "p@ssw0rd",
    ]
}
