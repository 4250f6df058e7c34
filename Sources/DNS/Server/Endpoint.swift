import Directory
package import NIOCore

/// A local address to listen on, and the addresses of this machine that clients are told there.
package struct Endpoint: Hashable, Sendable {
    /// Where to bind, with the port; one UDP socket per event loop and one TCP listener.
    package var address: SocketAddress
    /// The A answer for own names and blocked page hosts; nil: NODATA.
    package var v4: ClientAddress?
    /// The AAAA answer: a ULA or global address, never link-local; nil: NODATA.
    package var v6: ClientAddress?

    /// The port of DNS over TLS at the same address (RFC 7858); nil: none.
    package var dotPort: Int?

    package init(address: SocketAddress, v4: ClientAddress?, v6: ClientAddress?) {
        self.address = address
        self.v4 = v4
        self.v6 = v6
    }

    /// An endpoint that answers with its own address, unless that is link-local or unspecified.
    package init(address: SocketAddress) {
        let own = ClientAddress(address)
        let isUseful = own.map { !$0.isUnspecified && !$0.isLinkLocal } ?? false
        self.init(
            address: address, v4: own.flatMap { isUseful && $0.isV4 ? $0 : nil },
            v6: own.flatMap { isUseful && !$0.isV4 ? $0 : nil })
    }
}

/// An address that could not be bound, with a reason for people.
package struct RefusedEndpoint: Sendable, Equatable {
    package enum Transport: String, Sendable {
        case udp = "UDP"
        case tcp = "TCP"
        case tls = "TLS"
    }

    package var address: SocketAddress
    package var transport: Transport
    package var reason: String
}
