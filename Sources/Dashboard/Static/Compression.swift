import HTTPTypes
import Hummingbird
import NIOCore

extension Response {
    /// Shorter answers fit into one packet anyway.
    private static let shortest = 1_024

    /// Compresses a text that is long enough, where the browser takes gzip.
    ///
    /// An answer with an ETag stays as it is: the tag names its exact bytes (RFC 9110, 8.8.3.3). Streams have no length.
    /// An answer to a request with a query or a form may repeat it, so it is packed without references to equal texts.
    mutating func compress(for request: Request) async throws {
        guard let length = body.contentLength, length > Self.shortest, headers[.eTag] == nil,
            headers[.contentType]?.isCompressibleType == true
        else { return }
        headers[.vary] = "Accept-Encoding"
        guard request.accepts(encoding: "gzip") else { return }
        let bytes = Bytes()
        try await body.write(bytes)
        let packed = gzip(bytes.buffer, request.bringsText ? .repetition : .answer)
        // A body can be written once, so it is replaced in any case.
        body = ResponseBody(byteBuffer: packed ?? bytes.buffer)
        if packed != nil { headers[.contentEncoding] = "gzip" }
    }
}

/// Takes a body that is made already.
final class Bytes: ResponseBodyWriter {
    var buffer = ByteBuffer()

    func write(_ part: ByteBuffer) {
        // Nearly every body is one part, which need not be copied.
        if buffer.readableBytes == 0 { buffer = part } else { buffer.writeImmutableBuffer(part) }
    }
    func finish(_ trailingHeaders: HTTPFields?) {}
}

extension String {
    /// Whether a media type is a text that gets shorter.
    var isCompressibleType: Bool {
        [
            "text/", "application/json", "application/problem+json", "application/manifest", "image/svg",
        ].contains { hasPrefix($0) }
    }
}

extension Request {
    /// Whether its sender chose a text that the answer may repeat. Paths are those of pages.
    fileprivate var bringsText: Bool {
        uri.query?.isEmpty == false || (method != .get && method != .head)
    }

    /// Whether `Accept-Encoding` allows a coding (RFC 9110, 12.5.3; `q=0` refuses it).
    func accepts(encoding: String) -> Bool {
        headers[values: .acceptEncoding].flatMap { $0.split(separator: ",") }.contains { item in
            let parts = item.split(separator: ";").map { $0.filter { !$0.isWhitespace }.lowercased() }
            return parts.first == encoding
                && !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}
