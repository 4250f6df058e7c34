package import NIOCore
import NIOHTTP1

extension Resolver {
    /// Whether a request's target is for DNS over HTTPS.
    package static func isQuery(target: String) -> Bool { QueryTarget(target) != nil }

    /// Adds the handlers of DNS over HTTPS to a connection that speaks HTTP/1.1, or to a stream of HTTP/2. To be called
    /// on the channel's event loop, which is one of the resolver's.
    package func answerRequests(on channel: any Channel, isStream: Bool) throws {
        let pipeline = channel.pipeline.syncOperations
        if isStream {
            return try pipeline.addHandler(QueryStream(loops.of(channel.eventLoop)))
        }
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Self.longestHead
        limits.maxHeaderListSize = Self.longestHead
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(QueryRequests(loops.of(channel.eventLoop)))
    }

    /// In bytes; a query in a URL has some hundreds.
    private static let longestHead = 16 * 1024
}
