import NIOCore

/// The target of a request for DNS over HTTPS: `/dns-query`, or `/dns-query/<id>`, which names the device.
struct QueryTarget: Equatable {
    static let path = "/dns-query"

    /// The id that a device gives itself; nil without one.
    var device: String?
    /// The value of `dns=`, in base64url.
    var message: Substring?

    /// Nil for every other target.
    init?(_ uri: String) {
        let bytes = uri.utf8
        guard bytes.starts(with: Self.path.utf8) else { return nil }
        let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let rest = uri[bytes.index(bytes.startIndex, offsetBy: Self.path.utf8.count)..<mark]
        if let slash = rest.utf8.first {
            let id = rest.dropFirst()
            guard slash == UInt8(ascii: "/"), !id.utf8.contains(UInt8(ascii: "/")) else { return nil }
            device = id.isEmpty ? nil : String(id)
        }
        guard mark < bytes.endIndex else { return }
        message = Self.message(uri[bytes.index(after: mark)...])
    }

    /// The value of the first `dns=` among a query's pairs.
    private static func message(_ query: Substring) -> Substring? {
        var rest = query
        while true {
            let end = rest.utf8.firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            if rest.utf8.starts(with: "dns=".utf8) {
                return rest[rest.utf8.index(rest.startIndex, offsetBy: 4)..<end]
            }
            guard end < rest.endIndex else { return nil }
            rest = rest[rest.utf8.index(after: end)...]
        }
    }

    /// Reads base64url without padding (RFC 4648, 5); nil for anything else.
    static func decoded(_ text: Substring) -> ByteBuffer? {
        var bytes = ByteBuffer()
        let size = text.utf8.count * 3 / 4
        let isWhole: Bool? = text.utf8.withContiguousStorageIfAvailable { text in
            var isWhole = true
            bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: size) { target in
                let count = decode(text, into: target)
                isWhole = count != nil
                return count ?? 0
            }
            return isWhole
        }
        return isWhole ?? false ? bytes : nil
    }

    /// - Returns: how many bytes were written; nil if it is no base64url.
    private static func decode(
        _ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableRawBufferPointer
    ) -> Int? {
        var size = 0
        var bits: UInt32 = 0
        var count = 0
        for byte in text {
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
            target[size] = UInt8(truncatingIfNeeded: bits >> UInt32(count))
            size += 1
        }
        // A single leftover character, or leftover bits that are not zero, come from another encoding.
        return count < 6 && bits & (1 << UInt32(count) - 1) == 0 ? size : nil
    }
}
