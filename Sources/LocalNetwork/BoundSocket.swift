import Glibc

/// A bound Internet socket that this process did not create, and its address.
package struct BoundSocket: Hashable, Sendable {
    /// What identifies a socket on this machine: an address, a port and a transport.
    package struct Binding: Hashable, Sendable {
        /// 4 or 16 bytes, in network order.
        package var octets: [UInt8]
        package var port: UInt16
        /// The interface index of a link-local IPv6 address, else 0.
        package var zone: UInt32
        package var isDatagram: Bool

        package init(octets: [UInt8], port: UInt16, zone: UInt32 = 0, isDatagram: Bool) {
            self.octets = octets
            self.port = port
            self.zone = zone
            self.isDatagram = isDatagram
        }
    }

    package var descriptor: Int32
    /// The name that it was passed with (FDNAME).
    package var name: String
    package var place: Binding
    /// The same for every descriptor of one socket.
    package var inode: UInt64

    /// Inspects a descriptor; nil if it is not a bound UDP or TCP socket.
    package init?(_ descriptor: Int32, name: String) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK,
            let place = Self.place(of: descriptor)
        else { return nil }
        self.descriptor = descriptor
        self.name = name
        self.place = place
        inode = UInt64(status.st_ino)
    }

    private static func place(of descriptor: Int32) -> Binding? {
        var kind: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0 else { return nil }
        let isDatagram = kind == Int32(SOCK_DGRAM.rawValue)
        guard isDatagram || kind == Int32(SOCK_STREAM.rawValue) else { return nil }
        var storage = sockaddr_storage()
        length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer -> Binding? in
            let address = UnsafeMutableRawPointer(pointer)
            guard getsockname(descriptor, address.assumingMemoryBound(to: sockaddr.self), &length) == 0
            else { return nil }
            return Binding(UnsafeRawPointer(address), isDatagram: isDatagram)
        }
    }
}

extension BoundSocket.Binding {
    /// Reads a kernel socket address (ip(7), ipv6(7)); nil if it is not an Internet address.
    package init?(_ address: UnsafeRawPointer, isDatagram: Bool) {
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            var address = address.loadUnaligned(as: sockaddr_in.self)
            self.init(
                octets: withUnsafeBytes(of: &address.sin_addr) { Array($0) },
                port: UInt16(bigEndian: address.sin_port), isDatagram: isDatagram)
        case AF_INET6:
            var address = address.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                octets: withUnsafeBytes(of: &address.sin6_addr) { Array($0) },
                port: UInt16(bigEndian: address.sin6_port), zone: address.sin6_scope_id,
                isDatagram: isDatagram)
        default: return nil
        }
    }
}
