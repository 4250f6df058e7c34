import Foundation
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
    static func canonical(_ text: String) -> String? {
        let bare = String(text.prefix { $0 != "%" })
        var four = in_addr()
        if inet_pton(AF_INET, bare, &four) == 1 { return string(AF_INET, &four) }
        var six = in6_addr()
        guard inet_pton(AF_INET6, bare, &six) == 1 else { return nil }
        let bytes = withUnsafeBytes(of: &six) { Array($0) }
        if bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10] == 0xFF, bytes[11] == 0xFF {
            return bytes.suffix(4).map(String.init).joined(separator: ".")
        }
        return string(AF_INET6, &six)
    }

    private static func string(_ family: Int32, _ address: UnsafeRawPointer) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension String {
    /// Whether the address text is this machine's own loopback.
    var isLoopback: Bool { self == "::1" || hasPrefix("127.") }
}
