import NIOCore
import NIOHTTP2

/// One viewer's end of the stream: sits between the socket and the HTTP encoder, so that the shared, ready-coded
/// frames go out without a task, a queue or a copy per viewer.
///
/// A reader that is slow gets the newest when it reads again, never a queue; one that reads nothing for a minute
/// is let go. All calls come on the channel's event loop.
final class ViewerHandler: ChannelInboundHandler, RemovableChannelHandler {
    /// Passed on as it comes: bytes, or frames of HTTP/2.
    typealias InboundIn = NIOAny

    private static let patience = TimeAmount.seconds(60)

    private var context: ChannelHandlerContext?
    private var missedState: EventFrame?
    private var missedTick: EventFrame?
    private var letGo: Scheduled<Void>?
    private let isStream: Bool
    private let onLeave: () -> Void
    private var hasLeft = false

    /// - Parameter isStream: on a stream of HTTP/2, which has frames of its own instead of chunks.
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

    /// A viewer that closes its side has gone: there is nothing that it could still want to say.
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
