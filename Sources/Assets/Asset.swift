import AssetBytes

/// One file of `Templates/`, `Public/` or `Catalog/`.
package struct Asset: Sendable {
    /// From the root of the source tree, for example `Public/app.js`.
    package let path: String
    package let bytes: [UInt8]
    /// 16 hexadecimal digits that change with the content: the ETag, and what makes an address new.
    package let hash: String

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        let hash = bytes.withUnsafeBufferPointer { asset_hash($0.baseAddress, $0.count) }
        let digits = String(hash, radix: 16)
        self.hash = String(repeating: "0", count: 16 - digits.count) + digits
    }

    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The value of `Content-Type`, from the file's ending.
    package var mediaType: String {
        switch path.split(separator: ".").last {
        case "css": "text/css; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "json": "application/json; charset=utf-8"
        case "svg": "image/svg+xml; charset=utf-8"
        case "png": "image/png"
        case "ico": "image/vnd.microsoft.icon"
        case "webmanifest": "application/manifest+json; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
