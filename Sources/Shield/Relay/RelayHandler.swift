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
    private let splice: () -> Splice?
    private var socket: CInt?
    /// Whether the last read filled its buffer, so that more waits.
    private var isBusy = false

    private enum Output { case open, ending, ended }

    /// How much is read through a buffer at once, in bytes, at the most; what waits behind that is spliced.
    static let buffer = 16 << 10
    /// How many portions are spliced before other connections of the loop have their turn.
    private static let mostPortions = 4

    private init(_ passage: Passage, isFar: Bool, _ splice: @escaping () -> Splice?) {
        self.passage = passage
        self.isFar = isFar
        self.splice = splice
    }

    /// The two halves of a passage.
    ///
    /// - Parameter splice: the event loop's, for what comes faster than it is read; nil: all goes through buffers.
    static func pair(_ passage: Passage, splice: @escaping () -> Splice?) -> (
        near: RelayHandler, far: RelayHandler
    ) {
        let (near, far) = (
            RelayHandler(passage, isFar: false, splice), RelayHandler(passage, isFar: true, splice)
        )
        near.other = far
        far.other = near
        return (near, far)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try? context.channel.syncOptions?.setOption(
            .recvAllocator,
            value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: Self.buffer))
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        socket = nil
        other = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isFar { passage.answered() }
        let size = unwrapInboundIn(data).readableBytes
        passage.moved(size)
        isBusy = size == Self.buffer
        other?.context?.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        other?.context?.flush()
        if isBusy { spliceOn(context) }
        isBusy = false
    }

    /// Moves what waits, as long as the other side takes it.
    private func spliceOn(_ context: ChannelHandlerContext) {
        guard let splice = splice(), let socket else { return }
        for _ in 0..<Self.mostPortions {
            guard let other, let far = other.context, let target = other.socket, other.output == .open,
                (try? far.channel.syncOptions?.getOption(.bufferedWritableBytes)) == 0
            else { return }
            let (count, rest) = splice.move(socket, to: target, context.channel.allocator)
            guard count > 0 else { return }
            passage.moved(count)
            if let rest { return far.writeAndFlush(NIOAny(rest), promise: nil) }
        }
    }

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
