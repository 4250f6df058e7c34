import NIOCore
import NIOHTTP1

/// Ends a connection whose reply has a status that HTTP does not define (RFC 9110, 15: 100 to 599; we allow up to 999).
///
/// NIO's parser takes any three digits as a status, and the client skips heads below 200 as interim ones: after a
/// status "001" it would see an end without a head, and stop the process.
final class StatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isOver = true
            context.fireErrorCaught(Fault.broken)
            context.close(promise: nil)
        }
        if !isOver { context.fireChannelRead(data) }
    }

    /// Adds one behind a connection's parser.
    @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(StatusGuard(), position: .after(parser))
        }
    }
}
