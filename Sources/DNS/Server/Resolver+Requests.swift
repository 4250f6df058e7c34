package import NIOCore
package import NIOHPACK
import NIOHTTP1

extension Resolver {
    /// Whether a request's target is for DNS over HTTPS.
    package static func isQuery(target: String) -> Bool { QueryTarget(target) != nil }

    /// Adds the handlers of DNS over HTTPS to a connection that speaks HTTP/1.1. To be called on the channel's event loop,
    /// which is one of the resolver's.
    package func answerRequests(on channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = Self.longestHead
        limits.maxHeaderListSize = Self.longestHead
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
        try pipeline.addHandler(QueryRequests(loops.of(channel.eventLoop)))
    }

    /// Adds the handler of DNS over HTTPS to a connection that speaks HTTP/2, behind the handler of frames. The streams that
    /// it does not answer go on to the next handler. To be called on the channel's event loop, which is one of the
    /// resolver's.
    /// - Parameter admits: decides by its head whether a query is answered.
    package func answerStreams(on channel: any Channel, admits: @escaping (HPACKHeaders) -> Bool) throws {
        try channel.pipeline.syncOperations.addHandler(
            QueryStreams(loops.of(channel.eventLoop), admits: admits))
    }

    /// In bytes; a query in a URL has some hundreds.
    private static let longestHead = 16 * 1024
}
