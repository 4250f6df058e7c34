import NIOCore
import NIOHTTP2

/// One viewer's end of the stream. It is between the socket and the HTTP encoder, so that shared, encoded frames go out
/// without a task, a queue or a copy for each viewer.
///
/// A slow reader gets only the newest frame when it reads again. A viewer that reads nothing for a minute is
/// disconnected. All calls come on the channel's event loop.
final class ViewerHandler: ChannelInboundHandler, RemovableChannelHandler {
    /// Passed on unchanged: bytes, or frames of HTTP/2.
    typealias InboundIn = NIOAny

    private static let patience = TimeAmount.seconds(60)

    private var context: ChannelHandlerContext?
    private var missedState: EventFrame?
    private var missedTick: EventFrame?
    private var letGo: Scheduled<Void>?
    private let isStream: Bool
    private let onLeave: () -> Void
    private var hasLeft = false

    /// - Parameter isStream: whether this is an HTTP/2 stream, which has frames of its own instead of chunks.
    init(isStream: Bool = false, onLeave: @escaping () -> Void) {
        self.isStream = isStream
        self.onLeave = onLeave
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
    }

    func state(_ frame: EventFrame) {
        missedTick = nil
        if !write(frame) { missedState = frame }
    }

    func tick(_ frame: EventFrame) {
        if !write(frame) { missedTick = frame }
    }

    func comment() { _ = write(.comment) }

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

    /// A viewer that closes its side has gone: it has nothing more to send.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            context.close(promise: nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            letGo?.cancel()
            letGo = nil
            if let frame = missedState.take() { _ = write(frame) }
            if let frame = missedTick.take() { tick(frame) }
        } else if letGo == nil {
            letGo = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
                context.close(promise: nil)
            }
        }
        context.fireChannelWritabilityChanged()
    }

    private func write(_ frame: EventFrame) -> Bool {
        guard let context, context.channel.isActive, context.channel.isWritable else { return false }
        context.writeAndFlush(coded(frame), promise: nil)
        return true
    }

    private func coded(_ frame: EventFrame, isLast: Bool = false) -> NIOAny {
        guard isStream else { return NIOAny(frame.buffer) }
        let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(frame.content), endStream: isLast)
        return NIOAny(HTTP2Frame.FramePayload.data(data))
    }

    private func leave() {
        letGo?.cancel()
        letGo = nil
        guard !hasLeft else { return }
        hasLeft = true
        onLeave()
    }
}
