import Directory
import NIOCore

/// An address as the household writes it down: canonical text, IPv4 also where a socket says `::ffff:…`.
enum NetworkAddress {
    /// What to call a connection whose address is not known (a Unix socket): nobody's.
    static let unknown = "unknown"

    static func text(of address: SocketAddress?) -> String {
        guard let text = address?.ipAddress else { return unknown }
        return canonical(text) ?? unknown
    }

    /// RFC 5952 text without a zone; nil for what is no address.
    static func canonical(_ text: String) -> String? { IPAddress(text)?.text }
}

extension String {
    /// Whether the address text is this machine's own loopback.
    var isLoopback: Bool { self == "::1" || hasPrefix("127.") }
}
