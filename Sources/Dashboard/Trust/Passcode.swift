/// What may be a passcode.
enum Passcode {
    static let shortest = 4
    static let longest = 128

    /// Why a new passcode is refused; nil: it is fine.
    static func objection(to text: String) -> String? {
        if text.count < shortest { return "Please use at least \(shortest) characters." }
        if text.utf8.count > longest { return "Please use \(longest) characters at the most." }
        if text.allSatisfy(\.isWhitespace) { return "Please use more than spaces." }
        return nil
    }
}
