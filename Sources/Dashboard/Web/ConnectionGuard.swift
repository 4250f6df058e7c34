import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Adds limits of time and size that the framework does not have: a body must arrive whole in time and within its size,
/// and the client must read the answer.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// From a request's head to the end of its body; afterwards, the body's reader gets an error and answers.
    static let bodyDeadline = TimeAmount.seconds(20)
    /// The time for that answer.
    static let answerTime = TimeAmount.seconds(5)

    struct BodyStalled: Error {}
    /// How long a client may take nothing of an answer.
    static let writeDeadline = TimeAmount.seconds(60)
    /// A body that is too large gets 413 and is read up to here, so that the client sees the answer.
    static let maximumBody = 16 * 1024 * 1024

    private var bodyTimer: Scheduled<Void>?
    private var writeTimer: Scheduled<Void>?
    private var received = 0

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            received = 0
            bodyTimer?.cancel()
            bodyTimer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.bodyDeadline) {
                self.bodyTimer = self.closing(context, in: Self.answerTime)
                context.fireErrorCaught(BodyStalled())
            }
        case .body(let bytes):
            received += bytes.readableBytes
            if received > Self.maximumBody { context.close(promise: nil) }
        case .end:
            bodyTimer?.cancel()
            bodyTimer = nil
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writeTimer?.cancel()
        writeTimer = context.channel.isWritable ? nil : closing(context, in: Self.writeDeadline)
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    private func closing(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
        context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }

    private func stop() {
        bodyTimer?.cancel()
        writeTimer?.cancel()
        (bodyTimer, writeTimer) = (nil, nil)
    }
}
