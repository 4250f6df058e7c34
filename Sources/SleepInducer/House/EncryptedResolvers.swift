import Assets
import DNS
import Foundation
import Policy

/// Servers that speak DNS over HTTPS: by address from a file that is compiled in, by name from what DNS knows.
enum EncryptedResolvers {
    static let path = "Catalog/gateway/encrypted-resolvers.json"

    private struct Provider: Decodable {
        var addresses: [String]
    }

    /// Addresses and prefixes; none where a file that is being edited (`--assets DIR`) cannot be read.
    static func addresses(from assets: AssetLibrary) -> Set<String> {
        guard let asset = assets.asset(at: path),
            let providers = try? JSONDecoder().decode([Provider].self, from: Data(asset.bytes))
        else { return [] }
        return Set(providers.flatMap(\.addresses))
    }

    /// Whether a folded name is one of theirs.
    static let owns: @Sendable (String) -> Bool = { [names] in names.covers($0) }

    private static let names = CatalogNames(
        suffixes: Set(CanaryNames.encryptedResolvers.suffixes),
        exact: Set(CanaryNames.encryptedResolvers.exact))
}
