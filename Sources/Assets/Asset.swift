import AssetBytes

/// One file of `Templates/`, `Public/` or `Catalog/`.
package struct Asset: Sendable {
    /// From the root of the source tree, for example `Public/app.js`.
    package let path: String
    /// 16 hexadecimal digits that change with the content: the ETag, and what makes an address new.
    package var hash: String {
        switch place {
        case .read(_, let hash): hash
        case .compiledIn(let index): Self.hashes[index]
        }
    }
    private let place: Storage

    /// What is compiled in stays where the binary is mapped, which costs no memory of the process's own.
    private enum Storage {
        case compiledIn(at: Int)
        case read([UInt8], hash: String)
    }

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        place = .read(bytes, hash: bytes.withUnsafeBufferPointer(Self.hash))
    }

    /// The file at an index below `asset_count`.
    init?(compiledIn index: Int) {
        guard let entry = asset_at(index)?.pointee else { return nil }
        path = String(cString: entry.name)
        place = .compiledIn(at: index)
    }

    /// The assets that are compiled in; made for the first page, because DNS must not wait for it.
    private static let hashes: [String] = (0..<asset_count).map { index in
        let entry = asset_at(index)!.pointee
        return hash(UnsafeBufferPointer(start: entry.bytes, count: entry.size))
    }

    /// A copy of its content.
    package var bytes: [UInt8] { withBytes { [UInt8]($0) } }

    package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

    private func withBytes<Result>(_ read: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        switch place {
        case .read(let bytes, _): return bytes.withUnsafeBufferPointer(read)
        case .compiledIn(let index):
            let entry = asset_at(index)!.pointee
            return read(UnsafeBufferPointer(start: entry.bytes, count: entry.size))
        }
    }

    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let digits = String(asset_hash(bytes.baseAddress, bytes.count), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// The value of `Content-Type`, from the file's ending.
    package var mediaType: String {
        switch path.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json; charset=utf-8"
        case "svg": "image/svg+xml; charset=utf-8"
        case "png": "image/png"
        case "ico": "image/vnd.microsoft.icon"
        default: "application/octet-stream"
        }
    }
}
