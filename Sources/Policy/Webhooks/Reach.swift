import Foundation

/// Where our requests may go: the internet and the home, never this machine (design.md, Webhooks).
///
/// A household types these addresses. An address that leads back to us could press our own buttons, and a link-local
/// one could be a cloud's metadata service.
package enum Reach {
    /// Whether requests may go to an address, as 4 or 16 bytes. `own` are this machine's addresses, in the same form.
    package static func allows(_ address: [UInt8], own: Set<[UInt8]>) -> Bool {
        let address = unmapped(address)
        guard !own.contains(address) else { return false }
        return switch address.count {
        case 4: allows4(address)
        case 16: allows6(address)
        default: false
        }
    }

    /// Whether an address is in a home network (RFC 1918, 6598, 4193), where plain http is good enough.
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

    /// The 4 or 16 bytes of `192.0.2.1` or `2001:db8::1`; nil for anything else, also for `127.1` and `2130706433`.
    package static func bytes(_ text: String) -> [UInt8]? {
        var v4 = in_addr()
        if inet_pton(AF_INET, text, &v4) == 1 { return withUnsafeBytes(of: v4) { Array($0) } }
        var v6 = in6_addr()
        if inet_pton(AF_INET6, text, &v6) == 1 { return withUnsafeBytes(of: v6) { Array($0) } }
        return nil
    }

    /// Refuses "this network", loopback, link-local, multicast and reserved addresses.
    private static func allows4(_ bytes: [UInt8]) -> Bool {
        switch (bytes[0], bytes[1]) {
        case (0, _), (127, _), (169, 254), (224..., _): false
        default: true
        }
    }

    /// Refuses unspecified, loopback, link-local, site-local and multicast addresses, and those that carry an IPv4
    /// address in an obsolete way (RFC 4291, 2.5.5.1; RFC 7526) or in a way that only their own network can read (RFC
    /// 8215).
    private static func allows6(_ bytes: [UInt8]) -> Bool {
        if bytes.prefix(12).allSatisfy({ $0 == 0 }) { return false }
        switch (bytes[0], bytes[1]) {
        case (0xff, _), (0xfe, 0x80...), (0x20, 0x02): return false
        default: return bytes.prefix(6) != [0, 0x64, 0xff, 0x9b, 0, 1]
        }
    }

    /// The IPv4 address in an IPv4-mapped address (RFC 4291, 2.5.5.2) or in a NAT64 address (RFC 6052).
    private static func unmapped(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count == 16 else { return bytes }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        let isTranslated = bytes.prefix(4) == [0, 0x64, 0xff, 0x9b] && bytes[4..<12].allSatisfy { $0 == 0 }
        return isMapped || isTranslated ? Array(bytes.suffix(4)) : bytes
    }
}
