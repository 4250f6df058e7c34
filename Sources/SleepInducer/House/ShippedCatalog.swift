import Assets
import Foundation
import Policy

/// The compiled-in catalog: one shelf per file of `Catalog/`, and the names that are always reachable.
enum ShippedCatalog {
    static func load(from assets: AssetLibrary) throws -> Catalog {
        let decoder = JSONDecoder()
        var shelves: [CatalogFile] = []
        var reachable: [AlwaysReachable] = []
        // Files in subfolders are no shelves.
        for path in assets.paths(under: "Catalog")
        where path.hasSuffix(".json") && path.count(where: { $0 == "/" }) == 1 {
            guard let asset = assets.asset(at: path) else { continue }
            let data = Data(asset.bytes)
            if path.hasSuffix("/always-reachable.json") {
                reachable = try decoder.decode([AlwaysReachable].self, from: data)
            } else {
                shelves.append(try decoder.decode(CatalogFile.self, from: data))
            }
        }
        // ShippedCatalogTests tested the compiled-in catalog, so a start need not test it again.
        return try Catalog(shelves: shelves, reachable: reachable, isTested: assets.directory == nil)
    }
}
