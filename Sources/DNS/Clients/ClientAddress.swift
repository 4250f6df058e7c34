package import Directory
package import NIOCore

/// A client: an IP address, or a stand-in for a hardware address or a device by which it was named.
package typealias ClientAddress = IPAddress

extension IPAddress {
    static let mappedPrefix: UInt64 = 0xffff << 32

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
                IPAddress(bytes: UnsafeRawBufferPointer(rebasing: $0[8..<24]))
            }
        case .unixDomainSocket:
            return nil
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
