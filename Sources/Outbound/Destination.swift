import Foundation
import Policy

/// Where an address leads, taken apart: http or https, a host, and no more than the host's own name to go by.
struct Destination {
    /// With the host in lower case.
    let url: String
    let host: String
    /// The host's bytes, where it is an address itself.
    let literal: [UInt8]?
    var isLiteral: Bool { literal != nil }
    /// Whether what is sent can be read on the way.
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
        // With a zone behind it, it is a name for whoever looks names up.
        literal = bare.contains("%") ? nil : Reach.bytes(bare)
        guard let url = parts.string, literal != nil || bare.utf8.allSatisfy(Self.isOfName) else {
            throw .badAddress
        }
        self.url = url
        host = bare
    }

    /// A letter, a digit, or what stands between them in a host's name.
    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: false
        }
    }
}
