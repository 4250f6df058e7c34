package import Directory

/// A range of addresses, such as 192.168.0.0/16 or fc00::/7.
package struct AddressRange: Hashable, Sendable {
    private let address: ClientAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    /// - Parameter length: bits of the prefix, up to 32 for IPv4 and 128 for IPv6; larger values are cut to these.
    package init(_ address: ClientAddress, length: Int) {
        let bits = max(0, min(128, address.isV4 ? length + 96 : length))
        highMask = bits >= 64 ? .max : bits == 0 ? 0 : ~(UInt64.max >> UInt64(bits))
        lowMask = bits <= 64 ? 0 : bits >= 128 ? .max : ~(UInt64.max >> UInt64(bits - 64))
        self.address = ClientAddress(high: address.high & highMask, low: address.low & lowMask)
    }

    package func contains(_ other: ClientAddress) -> Bool {
        other.high & highMask == address.high && other.low & lowMask == address.low
    }

    private init(_ text: String, _ length: Int) {
        guard let address = ClientAddress(text) else { preconditionFailure("\(text) is not an address") }
        self.init(address, length: length)
    }

    /// Ranges that a home also has behind its other routers: loopback, link-local, RFC 1918, ULA.
    static let neighbours = [
        AddressRange("127.0.0.0", 8), AddressRange("10.0.0.0", 8), AddressRange("172.16.0.0", 12),
        AddressRange("192.168.0.0", 16), AddressRange("169.254.0.0", 16), AddressRange("::1", 128),
        AddressRange("fe80::", 10), AddressRange("fc00::", 7),
    ]

    static let linkLocal = [AddressRange("169.254.0.0", 16), AddressRange("fe80::", 10)]

    /// The address space that a provider shares among its customers (RFC 6598), and that overlay networks use.
    package static let shared = AddressRange("100.64.0.0", 10)

    /// Addresses that a public upstream must not answer with (design.md, "DNS answers").
    static let privateAnswers = neighbours + [shared, AddressRange("0.0.0.0", 8)]
}

extension ClientAddress {
    /// Whether a public name must not lead here: private, loopback, link-local, shared or unspecified.
    package var isPrivate: Bool {
        AddressRange.privateAnswers.contains { $0.contains(self) } || carried.map(\.isPrivate) ?? false
    }

    /// Whether it is private, and not one of the codes with which lists of addresses and names answer (RFC 5782, 2.1).
    var leadsHome: Bool { isPrivate && !(isV4 && (0x7f00_0002...0x7f00_00ff).contains(v4Bits)) }

    var isNeighbour: Bool { AddressRange.neighbours.contains { $0.contains(self) } }
}

extension ClientAddress {
    var isLinkLocal: Bool { AddressRange.linkLocal.contains { $0.contains(self) } }

    /// Whether a reply may go here: not to multicast, broadcast, unspecified or a placeholder, from which only forgers
    /// send.
    var canBeAnswered: Bool {
        isV4
            ? v4Bits >> 24 != 0 && v4Bits < 0xe000_0000
            : high >> 56 != 0xff && (high != 0 || low != 0) && !isStandIn
    }

    var isUnspecified: Bool { isV4 ? v4Bits == 0 : high == 0 && low == 0 }
}

extension ClientAddress {
    /// The IPv4 address inside an IPv6 address: NAT64 (RFC 6052), NAT64 of one network (RFC 8215), 6to4 (RFC 3056) or
    /// IPv4-compatible (RFC 4291, 2.5.5.1). A network chooses where RFC 8215 has the IPv4 address: if it cannot be in
    /// the last bits, 0.0.0.0 is assumed, which is private.
    fileprivate var carried: ClientAddress? {
        let last = UInt32(truncatingIfNeeded: low)
        switch (high, low >> 32) {
        case (0x0064_ff9b << 32, 0), (0, 0): return ClientAddress(v4: last)
        case (let high, _) where high >> 16 == 0x0064_ff9b_0001:
            return ClientAddress(v4: last & 0xff_ffff == 0 ? 0 : last)
        case (let high, _) where high >> 48 == 0x2002:
            return ClientAddress(v4: UInt32(truncatingIfNeeded: high >> 16))
        default: return nil
        }
    }
}
