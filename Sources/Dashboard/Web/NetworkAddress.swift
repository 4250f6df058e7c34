import Directory
import NIOCore

/// An IP address in canonical text; IPv4 even if a socket says `::ffff:…`.
enum NetworkAddress {
    /// For a connection without a known address (a Unix socket); it belongs to no device.
    static let unknown = "unknown"

    static func text(of address: SocketAddress?) -> String {
        guard let text = address?.ipAddress else { return unknown }
        return canonical(text) ?? unknown
    }

    /// RFC 5952 text without a zone; nil for what is no address.
    static func canonical(_ text: String) -> String? { IPAddress(text)?.text }
}

extension String {
    /// Whether the address is this machine's loopback.
    var isLoopback: Bool { self == "::1" || hasPrefix("127.") }
}
