#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An IPv4 or IPv6 address in one canonical form: v4-mapped IPv6 is IPv4, and zones are dropped. A device is then the same
/// device whichever socket it came through.
package struct IPAddress: Hashable, Sendable {
    /// The 128 bits of the address in host order; IPv4 stands as `::ffff:a.b.c.d`.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An IPv4 address from its 32 bits in host order.
    package init(v4 bits: UInt32) {
        self.init(high: 0, low: 0xffff << 32 | UInt64(bits))
    }

    /// Reads `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0` and `::ffff:192.0.2.1`; nil for anything else.
    package init?(_ text: String) {
        let bare = String(text.prefix { $0 != "%" })
        var buffer = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, bare, &buffer) == 1 {
            self.init(buffer[..<4])
        } else if inet_pton(AF_INET6, bare, &buffer) == 1 {
            self.init(buffer)
        } else {
            return nil
        }
    }

    /// Four or sixteen bytes in network order; nil for any other number of them.
    package init?(_ bytes: some Collection<UInt8>) {
        func number(_ part: some Collection<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
        switch bytes.count {
        case 4: self.init(v4: UInt32(number(bytes)))
        case 16: self.init(high: number(bytes.prefix(8)), low: number(bytes.dropFirst(8)))
        default: return nil
        }
    }

    package var isV4: Bool { high == 0 && low >> 32 == 0xffff }

    /// The 32 bits in host order, meaningful when `isV4`.
    package var v4Bits: UInt32 { UInt32(truncatingIfNeeded: low) }

    /// The bytes in network order: 4 or 16 of them.
    package var bytes: [UInt8] {
        func part(_ bits: UInt64, _ count: UInt64) -> [UInt8] {
            (1...count).map { UInt8(truncatingIfNeeded: bits >> (8 * (count - $0))) }
        }
        return isV4 ? part(UInt64(v4Bits), 4) : part(high, 8) + part(low, 8)
    }

    /// The address as people write it: `192.0.2.1`, `2001:db8::1` (RFC 5952).
    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(isV4 ? AF_INET : AF_INET6, bytes, &buffer, socklen_t(buffer.count))
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    package var isLoopback: Bool { isV4 ? v4Bits >> 24 == 127 : high == 0 && low == 1 }

    /// Its network of 64 bits, whose addresses cost nothing; an IPv4 address stays itself.
    package var network64: IPAddress { isV4 ? self : IPAddress(high: high, low: 0) }
}

extension IPAddress: CustomStringConvertible {
    package var description: String { text }
}

// 100::/32 leads nowhere (RFC 6666), so that no packet has such a source by right: these addresses stand for
// devices that are known by something else than an address.
extension IPAddress {
    private static let discard: UInt64 = 0x0100_0000_0000_0000
    private static let device: UInt64 = discard | 1

    /// Stands for the device that a forwarder named by its hardware address.
    package init(_ hardware: MACAddress) {
        self.init(high: Self.discard, low: hardware.bits)
    }

    /// Stands for the device that named itself in DNS over HTTPS.
    package init(device: Int64) {
        self.init(high: Self.device, low: UInt64(bitPattern: device))
    }

    /// The hardware address that this stands for; nil: it stands for none.
    package var hardware: MACAddress? { high == Self.discard ? MACAddress(bits: low) : nil }

    /// The device that this stands for; nil: it stands for none.
    package var namedDevice: Int64? { high == Self.device ? Int64(bitPattern: low) : nil }

    package var isStandIn: Bool { high | 1 == Self.device }
}
