package import Directory
package import NIOCore

/// Where a server is asked: an address and a port. A link-local address also needs a zone, the interface that it is on
/// (RFC 4007, 11). The interface's index is looked up at each use, because one that is plugged in again has another.
package struct UpstreamAddress: Hashable, Sendable {
    package let ip: IPAddress
    package let port: Int
    /// The interface of a link-local IPv6 address; nil for every other, to which a zone means nothing.
    package let zone: String?
    /// Without a zone it never changes.
    private let fixed: SocketAddress?

    /// Reads `192.0.2.1`, `2001:db8::1` and `fe80::1%eth0`; nil for anything else, and for a link-local IPv6 address
    /// without a zone, which leads nowhere.
    package init?(_ text: String, port: Int) {
        guard let ip = IPAddress(text) else { return nil }
        let zone = String(text.drop { $0 != "%" }.dropFirst())
        let needsZone = !ip.isV4 && ip.isLinkLocal
        if needsZone && zone.isEmpty { return nil }
        self.ip = ip
        self.port = port
        self.zone = needsZone ? zone : nil
        fixed = needsZone ? nil : try? SocketAddress(ipAddress: ip.text, port: port)
    }

    /// An address as it is now, with the index of its zone.
    package init(_ address: SocketAddress) {
        ip = IPAddress(address) ?? IPAddress(v4: 0)
        port = address.port ?? 0
        (zone, fixed) = (nil, address)
    }

    /// Nil: there is no interface of that name now.
    package var socket: SocketAddress? { fixed ?? (try? SocketAddress(ipAddress: text, port: port)) }

    /// Without the port: `fe80::1%eth0`.
    package var text: String { zone.map { "\(ip.text)%\($0)" } ?? ip.text }
}
