import Mustache

/// Text for HTML, escaped byte by byte.
///
/// The library escapes by `Character`: a quote with a combining mark is another character, so it passes and ends the
/// attribute. Names here come from strangers.
struct HTMLText: MustacheContentType {
    /// The text with markup and quotes as entities, and control characters as U+FFFD.
    func escapeText(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.contains(where: Self.isSpecial) else { return String(decoding: bytes, as: UTF8.self) }
            var escaped: [UInt8] = []
            escaped.reserveCapacity(bytes.count + bytes.count / 4)
            for byte in bytes {
                Self.append(byte, to: &escaped)
            }
            return String(decoding: escaped, as: UTF8.self)
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || [0x22, 0x26, 0x27, 0x3C, 0x3E].contains(byte)
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
