import Assets
import Foundation
import Policy

/// The suggestions that are compiled in, beside the catalog.
enum ShippedSuggestions {
    static let path = "Catalog/suggestions/suggested_tasks.json"

    /// A file that is being edited (`--assets DIR`) must not take the shield's words away.
    static func load(from assets: AssetLibrary) -> SuggestedTasks {
        guard let asset = assets.asset(at: path), let tasks = try? SuggestedTasks(json: Data(asset.bytes))
        else { return .lastResort }
        return tasks
    }
}
