package import Directory
package import NIOCore

/// A client: an IP address, or a stand-in for a hardware address or a device by which it was named.
package typealias ClientAddress = IPAddress

extension IPAddress {
    /// The address of a peer; nil for Unix sockets.
    package init?(_ address: SocketAddress) {
        switch address {
        case .v4(let v4):
            self = withUnsafeBytes(of: v4.address) { IPAddress(socketAddress: $0, isV4: true) }
        case .v6(let v6):
            self = withUnsafeBytes(of: v6.address) { IPAddress(socketAddress: $0, isV4: false) }
        case .unixDomainSocket:
            return nil
        }
    }

    /// The address in a `sockaddr_in` or `sockaddr_in6`, where `sin_addr` and `sin6_addr` have the same offsets everywhere.
    init(socketAddress bytes: UnsafeRawBufferPointer, isV4: Bool) {
        if isV4 {
            self.init(v4: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        } else {
            self.init(bytes: UnsafeRawBufferPointer(rebasing: bytes[8..<24]))
        }
    }

    /// Sixteen bytes in network order.
    init(bytes: UnsafeRawBufferPointer) {
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Sixteen bytes; nil for a v4-mapped address, which must not be in an answer.
    init?(ipv6 bytes: UnsafeRawBufferPointer) {
        self.init(bytes: bytes)
        if isV4 { return nil }
    }
}
