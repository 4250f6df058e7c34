import NIOCore
import NIOHTTP2

/// Refuses the streams of an HTTP/2 connection for which there is no room, before anything is made for them. The client
/// may repeat their requests (RFC 9113, 8.7).
final class StreamGate: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// So many refused streams in a row end the connection: its client does not listen.
    private static let mostRefused = 200

    private let opens: () -> Bool
    private let closes: () -> Void
    private var open: Set<HTTP2StreamID> = []
    private var refusedInARow = 0

    init(opens: @escaping () -> Bool, closes: @escaping () -> Void) {
        self.opens = opens
        self.closes = closes
    }

    /// The first frame of a stream has its whole head.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.streamID != .rootStream, case .headers = frame.payload, !open.contains(frame.streamID) {
            guard opens() else { return refuse(frame.streamID, context) }
            open.insert(frame.streamID)
            refusedInARow = 0
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let end = event as? StreamClosedEvent, open.remove(end.streamID) != nil { closes() }
        context.fireUserInboundEventTriggered(event)
    }

    private func refuse(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        refusedInARow += 1
        guard refusedInARow < Self.mostRefused else { return context.channel.cut() }
        let reset = HTTP2Frame(streamID: stream, payload: .rstStream(.refusedStream))
        context.writeAndFlush(wrapOutboundOut(reset), promise: nil)
    }
}
