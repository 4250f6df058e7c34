import Foundation

/// The typed base address of another server that takes minutes: `https://example.org`, with or without a path.
package struct VerifiedServer: Hashable, Codable, Sendable {
    package static let uploadPath = "/api/verification/ios/upload"
    package static let connectionPath = "/api/verification/ios/connection"
    private static let maximum = 500

    /// Without a slash at its end.
    package let base: String

    /// Throws `serverAddressUnreadable` for anything but http or https with a host and without password, query and
    /// fragment.
    package init(typed: String) throws(Refusal) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard text.utf8.count <= Self.maximum, text.allSatisfy({ $0.isASCII && !$0.isWhitespace }),
            let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty,
            parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
            (1...65_535).contains(parts.port ?? 1), !text.contains("\\")
        else { throw .serverAddressUnreadable }
        var base = text
        while base.hasSuffix("/") { base.removeLast() }
        self.base = base
    }

    /// The address of an endpoint, with one slash between base and path.
    package func endpoint(_ path: String) -> String { base + path }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { try self.init(typed: try container.decode(String.self)) } catch is Refusal {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "This is no server's address.")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(base)
    }
}

/// The key to another server: an opaque text that fits into a header.
package enum AccessToken {
    package static let maximum = 4_096

    /// Throws for an empty text, and for text that a header cannot hold.
    package static func checked(_ typed: String) throws(Refusal) -> String {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !text.isEmpty else { throw .accessTokenMissing }
        guard text.utf8.count <= maximum, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .accessTokenUnreadable
        }
        return text
    }
}
