import Assets
import Foundation
import Policy

/// The catalog that is compiled in: one shelf per file of `Catalog/`, and what is always reachable.
enum ShippedCatalog {
    static func load(from assets: AssetLibrary) throws -> Catalog {
        let decoder = JSONDecoder()
        var shelves: [CatalogFile] = []
        var reachable: [AlwaysReachable] = []
        // What lies in folders of it is no shelf.
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
        // What is compiled in passed ShippedCatalogTests; a start need not wait for it again.
        return try Catalog(shelves: shelves, reachable: reachable, isTested: assets.directory == nil)
    }
}
