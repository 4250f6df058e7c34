/// Text for HTML, escaped byte by byte.
///
/// Escaping by `Character` would be a hole: a quote with a combining mark is another character, so it passes and ends the
/// attribute. Names here come from strangers.
enum HTMLText {
    /// Appends a text with markup and quotes as entities, and control characters as U+FFFD; markup of our own as it is.
    static func write(_ text: String, isMarkup: Bool, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            guard !isMarkup, bytes.contains(where: isSpecial) else { return output.append(contentsOf: bytes) }
            for byte in bytes { append(byte, to: &output) }
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        switch byte {
        case 0..<0x20, 0x22, 0x26, 0x27, 0x3C, 0x3E, 0x7F: true
        default: false
        }
    }

    private static func append(_ byte: UInt8, to escaped: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "&"): escaped.append(contentsOf: "&amp;".utf8)
        case UInt8(ascii: "<"): escaped.append(contentsOf: "&lt;".utf8)
        case UInt8(ascii: ">"): escaped.append(contentsOf: "&gt;".utf8)
        case UInt8(ascii: "\""): escaped.append(contentsOf: "&quot;".utf8)
        case UInt8(ascii: "'"): escaped.append(contentsOf: "&#39;".utf8)
        case 0x09, 0x0A, 0x0D: escaped.append(byte)
        case 0..<0x20, 0x7F: escaped.append(contentsOf: "\u{FFFD}".utf8)
        default: escaped.append(byte)
        }
    }
}
