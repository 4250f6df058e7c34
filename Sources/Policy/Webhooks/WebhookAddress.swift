import Foundation

/// A webhook's address, as a person typed it: `http://192.168.1.20:8123/api/webhook/…`.
///
/// This checks the address itself; `Reach` checks what its name resolves to, at each delivery.
package struct WebhookAddress: Hashable, Sendable {
    /// In bytes.
    package static let maximum = 1_000

    package let url: String
    /// Without path and query, which can hold the other side's secret: `http://192.168.1.20:8123`.
    package let origin: String

    /// Throws the reason if the address cannot be used.
    ///
    /// - Parameters:
    ///   - own: this machine's own addresses, as 4 or 16 bytes each.
    ///   - isOwnName: whether a host, in lower case, is one of this server's own names.
    package init(
        typed: String, own: Set<[UInt8]> = [], isOwnName: (String) -> Bool = { _ in false }
    ) throws(Refusal) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...Self.maximum).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let found = parts.host?.lowercased(), !found.isEmpty,
            parts.fragment == nil, (1...65_535).contains(parts.port ?? 1)
        else { throw .webhookAddressUnreadable }
        guard parts.user == nil, parts.password == nil else { throw .webhookHasPassword }
        let bare = found.hasPrefix("[") ? String(found.dropFirst().dropLast()) : found
        if let literal = Reach.bytes(bare) {
            guard Reach.allows(literal, own: own) else { throw .webhookLeadsHere }
            guard scheme == "https" || Reach.isAtHome(literal) else { throw .webhookNeedsTLS }
        } else {
            guard Self.isName(bare) else { throw .webhookAddressUnreadable }
            let name = bare.hasSuffix(".") ? String(bare.dropLast()) : bare
            guard name != "localhost", !name.hasSuffix(".localhost"), !isOwnName(name) else {
                throw .webhookLeadsHere
            }
        }
        url = text
        origin = "\(scheme)://\(found)" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// Reads a stored address; nil if it can no longer be read.
    package init?(stored: String) {
        guard let read = try? WebhookAddress(typed: stored) else { return nil }
        self = read
    }

    /// Letters, digits and what may stand between them. A last part of digits means an address in an unusual spelling.
    private static func isName(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let last = (parts.last == "" ? parts.dropLast() : parts).last ?? ""
        let isPlain = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
            default: false
            }
        }
        return isPlain && !last.isEmpty && !last.hasPrefix("0x")
            && !last.utf8.allSatisfy { (48...57).contains($0) }
    }
}
