import Glibc

/// An IP address as 4 or 16 bytes in network order.
struct AddressBytes: Hashable, Sendable {
    let bytes: [UInt8]

    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = Array(bytes)
    }

    /// Accepts every legal text without a zone, canonical or not.
    init?(text: String) {
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, text, &buffer) == 1 {
            bytes = Array(buffer[..<4])
        } else if inet_pton(AF_INET6, text, &buffer) == 1 {
            bytes = buffer
        } else {
            return nil
        }
    }

    /// Hexadecimal digits in network order, two for each byte.
    init?(hex: Substring) {
        let digits = hex.compactMap(\.hexDigitValue)
        guard digits.count == hex.count, digits.count % 2 == 0 else { return nil }
        self.init(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }

    /// Canonical text (RFC 5952).
    var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(bytes.count == 4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var reach: LocalAddress.Reach {
        let b = bytes
        if b.count == 4 {
            switch (b[0], b[1]) {
            case (127, _): return .loopback
            case (169, 254): return .link
            case (10, _), (172, 16...31), (192, 168): return .home
            case (100, 64...127): return .shared
            default: return .global
            }
        }
        if b[..<15].allSatisfy({ $0 == 0 }) && b[15] == 1 { return .loopback }
        if b[0] == 0xFE && b[1] & 0xC0 == 0x80 { return .link }
        if b[0] & 0xFE == 0xFC { return .home }
        return .global
    }
}
