import Glibc

/// One address of one of this machine's interfaces.
package struct LocalAddress: Hashable, Sendable {
    package enum Reach: String, Hashable, Sendable {
        /// 127.0.0.0/8 and ::1.
        case loopback
        /// 169.254.0.0/16 and fe80::/10: valid on one link only.
        case link
        /// Private and unique local addresses (RFC 1918, 4193).
        case home
        /// 100.64.0.0/10 (RFC 6598): a provider's own network, or an overlay such as Tailscale's.
        case shared
        case global
    }

    package var interface: String
    /// Canonical text, without a zone.
    package var address: String
    package var prefixLength: Int
    package var reach: Reach
    /// The interface's index; one that is plugged in again has another.
    package var index: UInt32
    package var isIPv6: Bool { address.contains(":") }

    package init(
        interface: String, address: String, prefixLength: Int, reach: Reach, index: UInt32 = 0
    ) {
        self.interface = interface
        self.address = address
        self.prefixLength = prefixLength
        self.reach = reach
        self.index = index
    }

    /// Whether other devices can use it: neither loopback nor link-local.
    package var isUseful: Bool { reach != .loopback && reach != .link }

    /// Whether it shows that its interface is in a home: a private address on a network with room for other hosts. IPv6
    /// link-local addresses show nothing, because every interface has one; an IPv4 one (RFC 3927) means a direct cable
    /// to another machine.
    package var isOfHome: Bool {
        guard prefixLength < (isIPv6 ? 128 : 32) else { return false }
        return reach == .home || reach == .link && !isIPv6
    }

    /// The address for binding a socket: link-local IPv6 needs its zone.
    package var bindText: String {
        isIPv6 && reach == .link ? "\(address)%\(interface)" : address
    }

    /// Whether an address (text without zone) lies on this one's network.
    package func isOnNetwork(_ other: String) -> Bool {
        guard let own = AddressBytes(text: address)?.bytes, let theirs = AddressBytes(text: other)?.bytes
        else {
            return false
        }
        guard own.count == theirs.count else { return false }
        return zip(own, theirs).enumerated().allSatisfy { index, pair in
            let bits = min(8, max(0, prefixLength - index * 8))
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            return pair.0 & mask == pair.1 & mask
        }
    }
}

/// This machine's current addresses.
package enum LocalAddresses {
    /// Addresses of interfaces that are up, first those on the side of the router, because people are told the first one,
    /// and a bridge for containers can come before it; else in the kernel's order. Nil if the kernel does not tell, for
    /// example without a free descriptor. An IPv6 address whose duplicate check still runs is unusable and left out.
    ///
    /// - Parameter routes: the default routes, if they are known already.
    package static func current(routes: [DefaultRoute] = DefaultRoute.current()) -> [LocalAddress]? {
        let tentative = tentative(in: fileText("/proc/net/if_inet6") ?? "")
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        var found: [LocalAddress] = []
        var next = first
        while let entry = next?.pointee {
            next = entry.ifa_next
            guard entry.ifa_flags & UInt32(IFF_UP) != 0, let address = bytes(of: entry.ifa_addr),
                let mask = bytes(of: entry.ifa_netmask)
            else { continue }
            let interface = String(cString: entry.ifa_name)
            guard !tentative.contains("\(address.text)%\(interface)") else { continue }
            found.append(
                LocalAddress(
                    interface: interface, address: address.text,
                    prefixLength: mask.bytes.reduce(0) { $0 + $1.nonzeroBitCount }, reach: address.reach,
                    index: if_nametoindex(entry.ifa_name)))
        }
        return ordered(found, first: routes.first?.interface)
    }

    static func ordered(_ found: [LocalAddress], first interface: String?) -> [LocalAddress] {
        found.filter { $0.interface == interface } + found.filter { $0.interface != interface }
    }

    /// The addresses, as `address%interface`, that `/proc/net/if_inet6` marks as tentative: they cannot be bound.
    static func tentative(in table: String) -> Set<String> {
        let (tentative, optimistic) = (0x40, 0x04)
        let found = table.split(separator: "\n").compactMap { line -> String? in
            let columns = words(line)
            guard columns.count == 6, let flags = Int(columns[4], radix: 16),
                flags & tentative != 0, flags & optimistic == 0, let address = AddressBytes(hex: columns[0])
            else { return nil }
            return "\(address.text)%\(columns[5])"
        }
        return Set(found)
    }

    private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> AddressBytes? {
        guard let address else { return nil }
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { AddressBytes($0) }
            }
        case AF_INET6:
            return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { AddressBytes($0) }
            }
        default: return nil
        }
    }
}
