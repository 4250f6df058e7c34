import Foundation
import Policy

/// A parsed destination: http or https and a host.
struct Destination {
    /// With the host in lower case.
    let url: String
    let host: String
    /// The host's bytes, if it is an IP literal.
    let literal: [UInt8]?
    var isLiteral: Bool { literal != nil }
    /// Whether the request can be read on the way.
    let isPlain: Bool

    init(_ text: String) throws(Fault) {
        guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let found = parts.host?.lowercased(), !found.isEmpty,
            parts.user == nil, parts.password == nil
        else { throw .badAddress }
        parts.scheme = scheme
        isPlain = scheme == "http"
        parts.host = found
        let bare = found.hasPrefix("[") ? String(found.dropFirst().dropLast()) : found
        // A literal with a zone goes to the resolver like a name.
        literal = bare.contains("%") ? nil : Reach.bytes(bare)
        guard let url = parts.string, literal != nil || bare.utf8.allSatisfy(Self.isOfName) else {
            throw .badAddress
        }
        self.url = url
        host = bare
    }

    /// A letter, a digit, or another character of a host name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
