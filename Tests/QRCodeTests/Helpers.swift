@testable import QR

/// Texts that just fill a version.
extension Version {
    /// An address that fills the version.
    var longestAddress: String {
        filled("http://sleep.home.arpa/setup/device?code=0123456789-", capacity(isASCII: true))
    }

    /// A text that fills the version; its characters have one to four bytes.
    var longestGreeting: String {
        filled("Zoë, Спокойной ночи, おやすみ 😴 ", capacity(isASCII: false))
    }

    /// Repeats the sample up to a number of bytes; dots fill what the next character is too long for.
    private func filled(_ sample: String, _ capacity: Int) -> String {
        var text = ""
        for character in String(repeating: sample, count: capacity) {
            guard text.utf8.count + character.utf8.count <= capacity else { break }
            text.append(character)
        }
        return text + String(repeating: ".", count: capacity - text.utf8.count)
    }
}

extension Version {
    static func number(_ number: Int) -> Version { all[number - 1] }
}

extension QRCode {
    /// Reads a drawing: `#` is a dark module, anything else is a light one.
    init(drawing: String) {
        let rows = drawing.split(separator: "\n").map { $0.map { $0 == "#" } }
        var modules = Square(size: rows.count, of: false)
        for (row, line) in rows.enumerated() {
            for (column, isDark) in line.enumerated() { modules[column, row] = isDark }
        }
        self.init(modules: modules)
    }

    /// The code as such a drawing, without the quiet zone.
    var drawing: String {
        (0..<size).map { row in
            (0..<size).map { self[$0, row] ? "#" : "." }.joined()
        }.joined(separator: "\n")
    }
}
