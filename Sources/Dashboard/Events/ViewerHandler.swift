import Glibc
import NIOCore
import NIOHTTP2

/// One viewer's end of the stream. Nothing of HTTP is between it and the socket, so that shared, encoded frames go out
/// without a task, a queue or a copy for each viewer.
///
/// A slow reader gets only the newest frame when it reads again. A viewer that reads nothing for a minute is
/// disconnected. All calls come on the channel's event loop.
final class ViewerHandler: ChannelInboundHandler, RemovableChannelHandler {
    /// Passed on unchanged: bytes, or frames of HTTP/2.
    typealias InboundIn = NIOAny

    private static let patience = TimeAmount.seconds(60)

    let route: Route
    private var context: ChannelHandlerContext?
    /// The last frame waits in the channel, because the reader is slow.
    private var isBehind = false
    private var missedState: EventFrame?
    private var missedTick: EventFrame?
    private var letGo: Scheduled<Void>?
    private var onLeave: (() -> Void)?

    init(_ route: Route, onLeave: @escaping () -> Void) {
        self.route = route
        self.onLeave = onLeave
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { leave() }

    func state(_ frame: EventFrame) {
        missedTick = nil
        if isBehind { missedState = frame } else { write(frame) }
    }

    func tick(_ frame: EventFrame) {
        if isBehind { missedTick = frame } else { write(frame) }
    }

    func comment() {
        if !isBehind { write(.comment) }
    }

    /// Ends the response and the connection.
    func end() {
        guard let context else { return }
        context.writeAndFlush(coded(.end, isLast: true), promise: nil)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    /// A viewer has nothing to say. A plain connection on which bytes come is closed.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .socket = route { context.close(promise: nil) } else { context.fireChannelRead(data) }
    }

    /// A viewer that closes its side has gone: it has nothing more to send.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func write(_ frame: EventFrame) {
        guard let context else { return }
        guard case .socket(let socket) = route else { return write(coded(frame), to: context) }
        let sent = frame.buffer.withUnsafeReadableBytes {
            send(socket, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        }
        // The channel waits until the socket takes the rest, and finds out what else is the matter.
        var rest = frame.buffer
        rest.moveReaderIndex(forwardBy: max(0, sent))
        if rest.readableBytes > 0 { write(NIOAny(rest), to: context) }
    }

    private func write(_ data: NIOAny, to context: ChannelHandlerContext) {
        let taken = context.eventLoop.makePromise(of: Void.self)
        isBehind = true
        taken.futureResult.assumeIsolated().whenSuccess { self.catchUp() }
        context.writeAndFlush(data, promise: taken)
        if isBehind, letGo == nil {
            letGo = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
                context.close(promise: nil)
            }
        }
    }

    private func catchUp() {
        isBehind = false
        letGo?.cancel()
        letGo = nil
        if let frame = missedState.take() { write(frame) }
        if let frame = missedTick.take() { tick(frame) }
    }

    private func coded(_ frame: EventFrame, isLast: Bool = false) -> NIOAny {
        guard case .stream = route else { return NIOAny(frame.buffer) }
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(frame.content), endStream: isLast)
        return NIOAny(HTTP2Frame.FramePayload.data(data))
    }

    /// From now on the socket's number may be another's.
    private func leave() {
        context = nil
        letGo?.cancel()
        letGo = nil
        onLeave.take()?()
    }
}
