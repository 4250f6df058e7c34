/// The target of a request for DNS over HTTPS: `/dns-query`, or `/dns-query/<id>`, which names the device.
struct QueryTarget: Equatable {
    static let path = "/dns-query"

    /// The id that a device gives itself; nil without one.
    var device: String?
    /// The value of `dns=`, in base64url.
    var message: String?

    /// Nil for every other target.
    init?(_ uri: String) {
        let parts = uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let path = parts.first, path.hasPrefix(Self.path) else { return nil }
        let rest = path.dropFirst(Self.path.count)
        if !rest.isEmpty {
            let id = rest.dropFirst()
            guard rest.hasPrefix("/"), !id.contains("/") else { return nil }
            device = id.isEmpty ? nil : String(id)
        }
        guard parts.count > 1 else { return }
        for pair in parts[1].split(separator: "&") where pair.hasPrefix("dns=") {
            message = String(pair.dropFirst(4))
            return
        }
    }

    /// Reads base64url without padding (RFC 4648, 5); nil for anything else.
    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3 / 4)
        var bits: UInt32 = 0
        var count = 0
        for byte in text.utf8 {
            let value: UInt8
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = byte - UInt8(ascii: "A")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte - UInt8(ascii: "a") + 26
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = byte - UInt8(ascii: "0") + 52
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        // A single leftover character, or leftover bits that are not zero, come from another encoding.
        return count < 6 && bits & (1 << UInt32(count) - 1) == 0 ? bytes : nil
    }
}
