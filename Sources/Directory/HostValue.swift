/// The value of a Host field (RFC 9110, 7.2). Accepts any text and never throws.
package enum HostValue: Hashable, Sendable {
    /// Lower case, without port and trailing dot.
    case name(String)
    /// An IP literal, without port and brackets.
    case address(String)
    case malformed

    package init(_ text: String) {
        self = Self.parse(Array(text.utf8))
    }

    package init(_ bytes: some Collection<UInt8>) {
        self = Self.parse(Array(bytes))
    }

    /// The host of a request target in absolute form, which overrides the Host field (RFC 9112, 3.2.2).
    package init?(absoluteTarget target: some StringProtocol) {
        let lower = target.prefix(8).lowercased()
        guard let scheme = ["http://", "https://"].first(where: lower.hasPrefix) else { return nil }
        self = Self.parse(Array(target.dropFirst(scheme.count).prefix { !"/?#".contains($0) }.utf8))
    }

    private static func parse(_ field: [UInt8]) -> HostValue {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let bytes = field.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        let text = Array(bytes)
        guard !text.isEmpty, text.count <= 300 else { return .malformed }
        if text[0] == UInt8(ascii: "[") {
            guard let end = text.firstIndex(of: UInt8(ascii: "]")), isPort(text[(end + 1)...]) else {
                return .malformed
            }
            return sixth(text[1..<end])
        }
        let colons = text.count { $0 == UInt8(ascii: ":") }
        if colons > 1 { return sixth(text[...]) }
        let end = text.firstIndex(of: UInt8(ascii: ":")) ?? text.endIndex
        guard isPort(text[end...]) else { return .malformed }
        return name(text[..<end])
    }

    /// Whether the rest is empty, or a colon and a port of 0 to 5 digits up to 65535.
    private static func isPort(_ rest: ArraySlice<UInt8>) -> Bool {
        guard let colon = rest.first else { return true }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.count <= 5 else { return false }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return false
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65535
    }

    private static func sixth(_ bytes: ArraySlice<UInt8>) -> HostValue {
        let zoneless = bytes.prefix { $0 != UInt8(ascii: "%") }
        let text = String(decoding: zoneless, as: UTF8.self)
        guard text.contains(":"), let address = IPAddress(text) else { return .malformed }
        // RFC 4291, 2.5.5.2: as it was written, not as the IPv4 address that it stands for.
        return .address(address.isV4 ? "::ffff:\(address.text)" : address.text)
    }

    /// Letters, digits, hyphens and underscores in labels of 1 to 63 bytes, 253 in all (RFC 1035, 2.3.4).
    private static func name(_ bytes: ArraySlice<UInt8>) -> HostValue {
        var text = bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
        if text.last == UInt8(ascii: ".") { text.removeLast() }
        guard !text.isEmpty, text.count <= 253 else { return .malformed }
        var label = 0
        var isNumeric = true
        for byte in text {
            switch byte {
            case UInt8(ascii: "."):
                if label == 0 { return .malformed }
                label = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                label += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                label += 1
                isNumeric = false
            default: return .malformed
            }
            if label > 63 { return .malformed }
        }
        guard label > 0 else { return .malformed }
        let string = String(decoding: text, as: UTF8.self)
        if isNumeric, let address = IPAddress(string) { return .address(address.text) }
        return .name(string)
    }
}
