import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPCompression

/// Bytes in gzip's coding; nil if the compressor refuses.
///
/// The library offers its zlib only as a connection's handler, so this uses an embedded channel.
func gzip(_ bytes: [UInt8]) -> ByteBuffer? {
    let channel = EmbeddedChannel(handler: HTTPResponseCompressor())
    defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
    var request = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
    request.headers.add(name: "accept-encoding", value: "gzip")
    do {
        try channel.writeInbound(HTTPServerRequestPart.head(request))
        try channel.writeOutbound(HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok)))
        try channel.writeOutbound(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))))
        try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        var packed = ByteBuffer()
        while let part = try channel.readOutbound(as: HTTPServerResponsePart.self) {
            if case .body(.byteBuffer(var chunk)) = part { packed.writeBuffer(&chunk) }
        }
        return packed.readableBytes > 0 ? packed : nil
    } catch {
        return nil
    }
}
