import NIOCore
import NIOHTTP1

/// Ends a connection whose reply bears a status that HTTP does not have (RFC 9110, 15: 100 to 599; we let 999 pass).
///
/// NIO's parser takes three digits for a status, and the client that stands behind it passes over heads below 200 as
/// interim ones: of a reply "001" it would then see an end without a head, and stop the process.
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

    /// Puts one behind the parser of a connection.
    @Sendable static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            try pipeline.addHandler(StatusGuard(), position: .after(parser))
        }
    }
}
