import AssetBytes
import Foundation

/// Where pages take their files from: the bytes compiled in, or a source tree on disk (`--assets DIR`).
package struct AssetLibrary: Sendable {
    /// The source tree that is read anew for every request; nil: what was compiled in.
    package let directory: String?
    private let embedded: [String: Asset]

    package init(directory: String? = nil) {
        self.directory = directory
        embedded = directory == nil ? Self.compiledIn : [:]
    }

    /// `base.css?v=…` with the content's hash, for `base_css`; nil if there is no such file in `Public`.
    package func address(named name: String) -> String? {
        if directory == nil { return Self.addresses[name] }
        let file = Self.file(named: name)
        return asset(at: "Public/\(file)").map { Self.address(of: $0, file) }
    }

    /// `base.css` for `base_css`, as templates call it.
    package static func file(named name: String) -> String { name.replacing("_", with: ".") }

    private static func address(of asset: Asset, _ name: String) -> String { "\(name)?v=\(asset.hash)" }

    /// The file at a path from the root of the source tree, for example `Public/app.js`; nil if there is none.
    ///
    /// The path may come from a request: a path that climbs (`..`) or hides (`.name`) finds nothing.
    package func asset(at path: String) -> Asset? {
        guard let directory else { return embedded[path] }
        guard Self.isListed(path), let data = FileManager.default.contents(atPath: "\(directory)/\(path)")
        else { return nil }
        return Asset(path: path, bytes: [UInt8](data))
    }

    /// The paths of all files under a folder (`Templates`, `Public`, `Catalog`), sorted.
    package func paths(under folder: String) -> [String] {
        guard let directory else {
            return embedded.keys.filter { $0.hasPrefix(folder + "/") }.sorted()
        }
        let place = URL(filePath: "\(directory)/\(folder)").resolvingSymlinksInPath().path()
        guard let walk = FileManager.default.enumerator(atPath: place) else { return [] }
        return walk.compactMap { $0 as? String }
            .map { "\(folder)/\($0)" }
            .filter { path in
                var isFolder: ObjCBool = false
                let exists = FileManager.default.fileExists(
                    atPath: "\(directory)/\(path)", isDirectory: &isFolder)
                return exists && !isFolder.boolValue && Self.isListed(path)
            }
            .sorted()
    }

    /// Whether `Scripts/list-assets` would list the path.
    private static func isListed(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return ["Templates", "Public", "Catalog"].contains(parts.first) && !path.hasSuffix(".md")
            && parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && !$0.utf8.contains(0) }
    }

    private static let addresses: [String: String] = compiledIn.reduce(into: [:]) { addresses, file in
        guard file.key.hasPrefix("Public/") else { return }
        let name = String(file.key.dropFirst("Public/".count))
        addresses[name.replacing(".", with: "_")] = address(of: file.value, name)
    }

    private static let compiledIn: [String: Asset] = (0..<asset_count).reduce(into: [:]) { assets, index in
        if let asset = Asset(compiledIn: index) { assets[asset.path] = asset }
    }
}
