import NIOCore

/// One half of a relayed connection: what it reads, the other half writes, no faster than that one's peer takes it.
///
/// Both halves live on one event loop and hold each other until either ends. No byte is looked at.
final class RelayHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let passage: Passage
    private var other: RelayHandler?
    private var context: ChannelHandlerContext?
    private var hasHeldRead = false
    private var isOutputClosed = false

    private init(_ passage: Passage) { self.passage = passage }

    /// The two halves of a passage.
    static func pair(_ passage: Passage) -> (near: RelayHandler, far: RelayHandler) {
        let (near, far) = (RelayHandler(passage), RelayHandler(passage))
        near.other = far
        far.other = near
        return (near, far)
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        other = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        passage.moved(unwrapInboundIn(data).readableBytes)
        other?.context?.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.context?.flush() }

    func channelInactive(context: ChannelHandlerContext) {
        other?.context?.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// A peer that has nothing more to say may still be waiting for an answer.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            other?.closeOutput()
        } else if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func closeOutput() {
        guard !isOutputClosed else { return }
        isOutputClosed = true
        context?.close(mode: .output, promise: nil)
    }

    func read(context: ChannelHandlerContext) {
        if other?.context?.channel.isWritable ?? true {
            context.read()
        } else {
            hasHeldRead = true
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { other?.readOn() }
        context.fireChannelWritabilityChanged()
    }

    private func readOn() {
        guard hasHeldRead else { return }
        hasHeldRead = false
        context?.read()
    }
}
