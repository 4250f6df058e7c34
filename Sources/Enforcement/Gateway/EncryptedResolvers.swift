import DNS
import Foundation
import Policy

/// Servers that speak DNS over HTTPS: by address from a file that is compiled in, by name from what DNS knows.
package enum EncryptedResolvers {
    package static let path = "Catalog/gateway/encrypted-resolvers.json"

    private struct Provider: Decodable {
        var addresses: [String]
    }

    /// Addresses and prefixes from the file's JSON; none if it cannot be read, as while it is edited (`--assets DIR`).
    package static func addresses(in json: [UInt8]) -> Set<String> {
        let providers = try? JSONDecoder().decode([Provider].self, from: Data(json))
        return Set((providers ?? []).flatMap(\.addresses))
    }

    /// Whether a folded name is one of theirs.
    static let owns: @Sendable (String) -> Bool = { [names] in names.covers($0) }

    private static let names = CatalogNames(
        suffixes: Set(CanaryNames.encryptedResolvers.suffixes),
        exact: Set(CanaryNames.encryptedResolvers.exact))
}
