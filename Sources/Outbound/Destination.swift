import Foundation
import NIOCore

/// Where an address leads, taken apart: http or https, a host, and no more than the host's own name to go by.
struct Destination {
    /// With the host in lower case.
    let url: String
    let host: String
    /// The host's bytes, where it is an address itself.
    let literal: [UInt8]?
    var isLiteral: Bool { literal != nil }

    init(_ text: String) throws(Fault) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let found = parts.host?.lowercased(), !found.isEmpty,
            parts.user == nil, parts.password == nil
        else { throw .badAddress }
        parts.scheme = scheme
        parts.host = found
        let bare = found.hasPrefix("[") ? String(found.dropFirst().dropLast()) : found
        // With a zone behind it, it is a name for whoever looks names up.
        literal = bare.contains("%") ? nil : Self.bytes(bare)
        guard let url = parts.string, literal != nil || bare.utf8.allSatisfy(Self.isPlain) else {
            throw .badAddress
        }
        self.url = url
        host = bare
    }

    /// Of `192.0.2.1` and `2001:db8::1` only; `127.1` and `2130706433` are names that nobody has.
    static func bytes(_ text: String) -> [UInt8]? {
        guard let address = try? SocketAddress(ipAddress: String(text.prefix { $0 != "%" }), port: 0) else {
            return nil
        }
        switch address {
        case .v4(let v4): return withUnsafeBytes(of: v4.address.sin_addr) { Array($0) }
        case .v6(let v6): return withUnsafeBytes(of: v6.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
    }

    /// A letter, a digit, or what stands between them in a host's name.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
