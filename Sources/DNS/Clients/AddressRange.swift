package import Directory

/// A range of addresses, such as 192.168.0.0/16 or fc00::/7.
package struct AddressRange: Hashable, Sendable {
    private let address: ClientAddress
    private let highMask: UInt64
    private let lowMask: UInt64

    /// - Parameter length: bits of the prefix; of 32 for IPv4, of 128 for IPv6. Larger values are taken as the largest.
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

    /// What a home has behind its routers too: loopback, link-local, RFC 1918, ULA.
    static let neighbours = [
        AddressRange("127.0.0.0", 8), AddressRange("10.0.0.0", 8), AddressRange("172.16.0.0", 12),
        AddressRange("192.168.0.0", 16), AddressRange("169.254.0.0", 16), AddressRange("::1", 128),
        AddressRange("fe80::", 10), AddressRange("fc00::", 7),
    ]

    static let linkLocal = [AddressRange("169.254.0.0", 16), AddressRange("fe80::", 10)]

    /// What a provider shares among its customers (RFC 6598), and what an overlay network takes from it.
    package static let shared = AddressRange("100.64.0.0", 10)

    /// What a public upstream has no business to answer with (design.md, "DNS answers").
    static let privateAnswers = neighbours + [shared, AddressRange("0.0.0.0", 8)]
}

extension ClientAddress {
    /// Whether a public name must not lead here: private, loopback, link-local, shared or unspecified.
    package var isPrivate: Bool {
        AddressRange.privateAnswers.contains { $0.contains(self) } || carried.map(\.isPrivate) ?? false
    }

    var isNeighbour: Bool { AddressRange.neighbours.contains { $0.contains(self) } }
}

extension ClientAddress {
    var isLinkLocal: Bool { AddressRange.linkLocal.contains { $0.contains(self) } }

    /// No group, no broadcast, not unspecified, no stand-in: only forgers send from there, and a reply would be an error.
    var canBeAnswered: Bool {
        isV4
            ? v4Bits >> 24 != 0 && v4Bits < 0xe000_0000
            : high >> 56 != 0xff && (high != 0 || low != 0) && !isStandIn
    }

    var isUnspecified: Bool { isV4 ? v4Bits == 0 : high == 0 && low == 0 }
}

extension ClientAddress {
    /// The IPv4 address that an IPv6 one leads to, where its form says which: NAT64 (RFC 6052), NAT64 of one network (RFC
    /// 8215), 6to4 (RFC 3056) and IPv4-compatible ones (RFC 4291, 2.5.5.1). RFC 8215 leaves the place of the IPv4 address to
    /// the network: where the last bits can be none, it is taken for 0.0.0.0.
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
