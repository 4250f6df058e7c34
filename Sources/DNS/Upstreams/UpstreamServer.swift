import Directory
package import NIOCore

/// A server that looks up names, and how to speak to it.
package struct UpstreamServer: Hashable, Sendable {
    package enum Transport: Hashable, Sendable {
        /// UDP, and TCP if an answer is cut short.
        case plain
        /// DNS over TLS (RFC 7858) under the strict profile (RFC 8310).
        case tls
        /// DNS over HTTPS (RFC 8484) at a path, such as `/dns-query`.
        case https(path: String)
    }

    package enum Location: Hashable, Sendable {
        case address(UpstreamAddress)
        /// Looked up at the plain bootstrap servers.
        case name(String, port: Int)
    }

    package let transport: Transport
    package let place: Location
    /// The name that its certificate must hold; nil: its address.
    package let authenticationName: String?

    package init(transport: Transport, place: Location, authenticationName: String?) {
        self.transport = transport
        self.place = place
        self.authenticationName = authenticationName
    }

    /// A server that is asked in plain.
    package init(_ address: UpstreamAddress) {
        self.init(transport: .plain, place: .address(address), authenticationName: nil)
    }

    package init(_ address: SocketAddress) { self.init(UpstreamAddress(address)) }

    /// Nil if it is known by its name.
    package var fixed: UpstreamAddress? {
        if case .address(let address) = place { address } else { nil }
    }

    /// Where it is asked now; nil if it is known by its name, or on an interface that is not there.
    package var address: SocketAddress? { fixed?.socket }

    /// The interface that it is on, if there is none of that name now.
    var missingInterface: String? { fixed.flatMap { $0.socket == nil ? $0.zone : nil } }

    package var isPlain: Bool { transport == .plain }

    /// Host and port as HTTP writes them; the port is left out if it is 53 (plain) or 443 (HTTPS). A server over TLS
    /// always has its port.
    var authority: String {
        let usual: Int? =
            switch transport {
            case .plain: 53
            case .tls: nil
            case .https: 443
            }
        switch place {
        case .name(let name, let port): return port == usual ? name : "\(name):\(port)"
        case .address(let address):
            let (text, port) = (address.text, address.port)
            if port == usual && isPlain { return text }
            let host = address.ip.isV4 ? text : "[\(text)]"
            return port == usual ? host : "\(host):\(port)"
        }
    }
}

/// `9.9.9.9`, `9.9.9.9:5353`, `tls://9.9.9.9:853`.
extension UpstreamServer: CustomStringConvertible {
    package var description: String {
        switch transport {
        case .plain: authority
        case .tls: "tls://\(authority)"
        case .https(let path): "https://\(authority)\(path)"
        }
    }
}
