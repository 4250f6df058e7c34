import Assets
import Policy

/// The compiled-in catalog: one shelf per file of `Catalog/`, and the names that are always reachable.
enum ShippedCatalog {
    static func load(from assets: AssetLibrary) throws -> Catalog {
        var shelves: [CatalogFile] = []
        var reachable: [AlwaysReachable] = []
        // Files in subfolders are no shelves.
        for path in assets.paths(under: "Catalog")
        where path.hasSuffix(".json") && path.count(where: { $0 == "/" }) == 1 {
            guard let asset = assets.asset(at: path) else { continue }
            if path.hasSuffix("/always-reachable.json") {
                reachable = try AlwaysReachable.list(json: asset.bytes)
            } else {
                shelves.append(try CatalogFile(json: asset.bytes))
            }
        }
        // ShippedCatalogTests tested the compiled-in catalog, so a start need not test it again.
        return try Catalog(shelves: shelves, reachable: reachable, isTested: assets.directory == nil)
    }
}
