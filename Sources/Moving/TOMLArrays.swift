/// The lists of strings and the switches of a TOML file's tables, as Pi-hole writes them; everything else is passed over.
///
/// No parser of TOML that can be had here is written in Swift, and of all of `pihole.toml` only a few lists matter.
struct TOMLArrays {
    private var lists: [String: [String]] = [:]
    private var isOn: Set<String> = []

    subscript(table: String, key: String) -> [String] { lists["\(table).\(key)"] ?? [] }

    func isTrue(_ table: String, _ key: String) -> Bool { isOn.contains("\(table).\(key)") }

    init(_ text: String) {
        var table = ""
        var list: String?
        for line in text.split(whereSeparator: \.isNewline) {
            var rest = Substring(line.trimmingPrefix(while: \.isWhitespace))
            if list == nil {
                if rest.hasPrefix("#") { continue }
                if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
                    table = String(rest[rest.index(after: rest.startIndex)..<end])
                    continue
                }
                guard let entry = rest.prefixMatch(of: /([A-Za-z0-9_-]+)\s*=\s*/) else { continue }
                let key = "\(table).\(entry.1)"
                rest = rest[entry.range.upperBound...]
                if rest.hasPrefix("true") { isOn.insert(key) }
                guard rest.hasPrefix("[") else { continue }
                rest = rest.dropFirst()
                list = key
            }
            if let key = list, Self.read(&lists[key, default: []], from: rest) { list = nil }
        }
    }

    /// Adds a line's strings, up to a comment. Returns whether the list ends on it.
    private static func read(_ strings: inout [String], from line: Substring) -> Bool {
        var rest = line
        while let first = rest.first, strings.count < 5_000 {
            rest = rest.dropFirst()
            switch first {
            case "]": return true
            case "#": return false
            case "'":
                guard let end = rest.firstIndex(of: "'") else { return false }
                strings.append(String(rest[..<end]))
                rest = rest[rest.index(after: end)...]
            case "\"":
                var string = ""
                while let next = rest.popFirst(), next != "\"" {
                    string.append(next == "\\" ? escaped(in: &rest) : next)
                }
                strings.append(string)
            default: break
            }
        }
        return false
    }

    /// What stands for a character after a backslash (TOML 1.0.0, "String"); a character that stands for nothing is itself.
    private static func escaped(in rest: inout Substring) -> Character {
        guard let letter = rest.popFirst() else { return "\\" }
        switch letter {
        case "b": return "\u{8}"
        case "t": return "\t"
        case "n": return "\n"
        case "f": return "\u{C}"
        case "r": return "\r"
        case "u", "U":
            let digits = rest.prefix(letter == "u" ? 4 : 8)
            guard let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) else { return letter }
            rest = rest.dropFirst(digits.count)
            return Character(scalar)
        default: return letter
        }
    }
}
