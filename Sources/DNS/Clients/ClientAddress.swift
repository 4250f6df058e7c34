package import NIOCore

/// An IPv4 or IPv6 address in one canonical form: v4-mapped IPv6 is IPv4, zones are dropped, so that a device
/// is the same device whichever socket it came through.
package struct ClientAddress: Hashable, Sendable {
    /// The 128 bits of the address in host order; IPv4 stands as `::ffff:a.b.c.d`.
    let high: UInt64
    let low: UInt64

    static let mappedPrefix: UInt64 = 0xffff << 32

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An IPv4 address from its 32 bits in host order.
    init(v4 bits: UInt32) {
        self.init(high: 0, low: Self.mappedPrefix | UInt64(bits))
    }

    /// The address of a peer; nil for Unix sockets.
    package init?(_ address: SocketAddress) {
        // The offsets of `sin_addr` and `sin6_addr` are the same everywhere.
        switch address {
        case .v4(let v4):
            self.init(
                v4: withUnsafeBytes(of: v4.address) {
                    UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
                })
        case .v6(let v6):
            self = withUnsafeBytes(of: v6.address) {
                ClientAddress(bytes: UnsafeRawBufferPointer(rebasing: $0[8..<24]))
            }
        case .unixDomainSocket:
            return nil
        }
    }

    /// Reads `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0` and `::ffff:192.0.2.1`; nil for anything else.
    package init?(_ text: String) {
        let bare = String(text.prefix { $0 != "%" })
        guard let address = try? SocketAddress(ipAddress: bare, port: 0) else { return nil }
        self.init(address)
    }

    /// Sixteen bytes in network order.
    init(bytes: UnsafeRawBufferPointer) {
        high = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Sixteen bytes that are no v4-mapped address; nil for those, which have no business in an answer.
    init?(ipv6 bytes: UnsafeRawBufferPointer) {
        self.init(bytes: bytes)
        if isV4 { return nil }
    }

    package var isV4: Bool { high == 0 && low >> 32 == 0xffff }

    /// The 32 bits in host order, meaningful when `isV4`.
    var v4Bits: UInt32 { UInt32(truncatingIfNeeded: low) }

    /// The address as people write it: `192.0.2.1`, `2001:db8::1`.
    package var text: String {
        if isV4 {
            let bits = v4Bits
            return "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
        }
        var packed = ByteBuffer()
        packed.writeInteger(high)
        packed.writeInteger(low)
        return (try? SocketAddress(packedIPAddress: packed, port: 0))?.ipAddress ?? ""
    }
}

extension ClientAddress: CustomStringConvertible {
    package var description: String { text }
}
