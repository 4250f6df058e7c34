import Assets
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// The files of `Public/`: with an ETag from the content, 304, and a compressed copy that is made once. Browsers keep a
/// file for ever if its address has the hash.
final class StaticFiles: Sendable {
    private let assets: AssetLibrary
    /// By hash; nil if compression does not pay.
    private let twins = Mutex<[String: ByteBuffer?]>([:])

    init(_ assets: AssetLibrary) {
        self.assets = assets
    }

    func bytes(_ path: String) -> [UInt8]? { file(path)?.bytes }

    /// The answer for a path in `Public/`; nil if there is no such file.
    func response(_ path: String, to request: Request) -> Response? {
        guard let file = file(path) else { return nil }
        let isAddressed = request.uri.queryParameters["v"].map { $0 == file.hash } ?? false
        var headers: HTTPFields = [
            .contentType: file.mediaType, .vary: "Accept-Encoding",
            .cacheControl: isAddressed ? "public, max-age=31536000, immutable" : "no-cache",
        ]
        let twin = request.accepts(encoding: "gzip") ? twin(of: file) : nil
        let tag = twin == nil ? "\"\(file.hash)\"" : "\"\(file.hash)-gz\""
        headers[.eTag] = tag
        if request.headers[values: .ifNoneMatch].contains(where: { $0.names(tag: tag) }) {
            return Response(status: .notModified, headers: headers)
        }
        if twin != nil { headers[.contentEncoding] = "gzip" }
        let body = twin ?? ByteBuffer(bytes: file.bytes)
        headers[.contentLength] = String(body.readableBytes)
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body))
    }

    private func file(_ path: String) -> Asset? { assets.asset(at: "Public/\(path)") }

    private func twin(of file: Asset) -> ByteBuffer? {
        guard file.mediaType.isCompressibleType else { return nil }
        if let known = twins.withLock({ $0[file.hash] }) { return known }
        let packed = gzip(ByteBuffer(bytes: file.bytes), .kept)
        let twin = packed.flatMap { $0.readableBytes < file.bytes.count ? $0 : nil }
        twins.withLock { twins in
            // Files that are edited on disk leave old copies behind.
            if twins.count >= 256 { twins.removeAll() }
            twins[file.hash] = .some(twin)
        }
        return twin
    }
}

extension String {
    /// Whether an `If-None-Match` value names a tag, weak or not.
    fileprivate func names(tag: String) -> Bool {
        self == "*"
            || split(separator: ",").contains { item in
                let bare = item.filter { !$0.isWhitespace }
                return bare == tag || bare == "W/\(tag)"
            }
    }
}
