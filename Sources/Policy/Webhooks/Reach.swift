import Foundation

/// Where requests of ours may go: the internet and the home, never this machine (design.md, issue 4: webhooks).
///
/// A household types these addresses; one that led back to us could press our own buttons, and one on the link
/// itself could be a cloud's metadata.
package enum Reach {
    /// Whether an address, as 4 or 16 bytes, may be sent to. `own` are this machine's own, in the same form.
    package static func allows(_ address: [UInt8], own: Set<[UInt8]>) -> Bool {
        let address = unmapped(address)
        guard !own.contains(address) else { return false }
        return switch address.count {
        case 4: allows4(address)
        case 16: allows6(address)
        default: false
        }
    }

    /// Whether an address is one of a home's own (RFC 1918, 6598, 4193), where plain http will do.
    package static func isAtHome(_ address: [UInt8]) -> Bool {
        let address = unmapped(address)
        switch (address.count, address.first, address.dropFirst().first) {
        case (4, 10?, _), (4, 192?, 168?): return true
        case (4, 172?, let second?): return (16...31).contains(second)
        case (4, 100?, let second?): return (64...127).contains(second)
        case (16, let first?, _): return first & 0xfe == 0xfc
        default: return false
        }
    }

    /// Of `192.0.2.1` and `2001:db8::1` as 4 or 16 bytes; nil for anything else, `127.1` and `2130706433` among it.
    package static func bytes(_ text: String) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        var v6 = in6_addr()
        if inet_pton(AF_INET6, text, &v6) == 1 { return withUnsafeBytes(of: v6) { Array($0) } }
        return nil
    }

    /// Not "this network", loopback, link-local, multicast and reserved.
    private static func allows4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (127, _), (169, 254), (224..., _): false
        default: true
        }
    }

    /// Not unspecified, loopback, link-local, site-local and multicast, and none that carries an IPv4 address in a
    /// way that nobody uses any more (RFC 4291, 2.5.5.1; RFC 7526) or that only its own network can read (RFC 8215).
    private static func allows6(_ bytes: [UInt8]) -> Bool {
        if bytes.prefix(12).allSatisfy({ $0 == 0 }) { return false }
        switch (bytes[0], bytes[1]) {
        case (0xff, _), (0xfe, 0x80...), (0x20, 0x02): return false
        default: return bytes.prefix(6) != [0, 0x64, 0xff, 0x9b, 0, 1]
        }
    }

    /// The IPv4 address that an IPv4-mapped one stands for (RFC 4291, 2.5.5.2) or that NAT64 carries (RFC 6052).
    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count == 16 else { return bytes }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        let isTranslated = bytes.prefix(4) == [0, 0x64, 0xff, 0x9b] && bytes[4..<12].allSatisfy { $0 == 0 }
        return isMapped || isTranslated ? Array(bytes.suffix(4)) : bytes
    }
}
