import NIOCore

/// One half of a relayed connection: the other half writes what it reads, no faster than that half's peer takes it.
///
/// Both halves live on one event loop and hold each other until either ends. They look at no byte.
final class RelayHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let passage: Passage
    private let isFar: Bool
    private var other: RelayHandler?
    private var context: ChannelHandlerContext?
    private var hasHeldRead = false
    private var output = Output.open
    private var isInputClosed = false
    /// The other half's peer has closed completely.
    private var isLeft = false

    private enum Output { case open, ending, ended }

    private init(_ passage: Passage, isFar: Bool) {
        self.passage = passage
        self.isFar = isFar
    }

    /// The two halves of a passage.
    static func pair(_ passage: Passage) -> (near: RelayHandler, far: RelayHandler) {
        let (near, far) = (RelayHandler(passage, isFar: false), RelayHandler(passage, isFar: true))
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
        if isFar { passage.answered() }
        passage.moved(unwrapInboundIn(data).readableBytes)
        other?.context?.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) { other?.context?.flush() }

    func channelInactive(context: ChannelHandlerContext) {
        other?.finish()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    /// A peer that sends no more may still wait for an answer.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            isInputClosed = true
            other?.closeOutput()
        } else if event is ChannelShouldQuiesceEvent {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// Tells this half's peer that no more bytes come, once it has taken what came. Its output must not be closed
    /// earlier: if its input is already closed, that closes the channel, and bytes that still wait are lost.
    private func closeOutput() {
        guard output == .open, let context else { return }
        output = .ending
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in self.outputHasEnded() }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer()), promise: written)
    }

    private func outputHasEnded() {
        output = .ended
        context?.close(mode: isInputClosed || isLeft ? .all : .output, promise: nil)
    }

    /// The other side has gone; what it sent is still delivered.
    private func finish() {
        isLeft = true
        if output == .ended { context?.close(promise: nil) } else { closeOutput() }
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
