import Assets
import Foundation
import Policy

/// The compiled-in suggestions, beside the catalog.
enum ShippedSuggestions {
    static let path = "Catalog/suggestions/suggested_tasks.json"

    /// If the file is broken while it is edited (`--assets DIR`), the shield must still have words.
    static func load(from assets: AssetLibrary) -> SuggestedTasks {
        guard let asset = assets.asset(at: path), let tasks = try? SuggestedTasks(json: Data(asset.bytes))
        else { return .lastResort }
        return tasks
    }
}
