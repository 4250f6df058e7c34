import NIOCore

/// Hands a connection's bytes on in pieces (`PieceOfRequests`), each when the reader asks for more. So what is made of them
/// stays small, however many requests come at once, and after an answer or two the other connections of the event loop
/// have their turn.
///
/// An ordinary request is one piece, which is handed on at once.
final class PaceHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private var piece: PieceOfRequests
    private var held = ByteBuffer()
    /// Whether the reader asked for more since the last piece.
    private var isWanted = true
    private var isHalfClosed = false
    private var isGone = false

    init(_ kind: PieceOfRequests.Kind = .text) { piece = PieceOfRequests(kind) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if held.readableBytes == 0 { held = bytes } else { held.writeBuffer(&bytes) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard isWanted else { return }
        handOn(context)
        // The channel asks for more by itself only after what it has read itself.
        if held.readableBytes > 0 { later(context) { $1.channel.read() } }
    }

    func read(context: ChannelHandlerContext) {
        if held.readableBytes == 0 {
            isWanted = true
            context.read()
        } else if !isWanted {
            isWanted = true
            later(context) { handler, context in
                guard handler.isWanted else { return }
                handler.handOn(context)
                context.channel.read()
            }
        }
    }

    /// Behind what the event loop does for others.
    private func later(
        _ context: ChannelHandlerContext, _ work: @escaping (PaceHandler, ChannelHandlerContext) -> Void
    ) {
        let bound = NIOLoopBound((self, context, work), eventLoop: context.eventLoop)
        // A task without a delay would run before the loop looks at its sockets again, DNS among them.
        context.eventLoop.scheduleTask(in: .microseconds(100)) {
            let (handler, context, work) = bound.value
            if !handler.isGone { work(handler, context) }
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, held.readableBytes > 0 {
            isHalfClosed = true
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        held = ByteBuffer()
        context.fireChannelInactive()
    }

    /// The reader gets the rest at once.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        handOn(context, held.readableBytes)
        isGone = true
        context.leavePipeline(removalToken: removalToken)
    }

    private func handOn(_ context: ChannelHandlerContext, _ length: Int? = nil) {
        guard held.readableBytes > 0 else { return }
        let length = length ?? held.withUnsafeReadableBytes { piece.length(in: $0) }
        guard let bytes = held.readSlice(length: length) else { return }
        isWanted = false
        if held.readableBytes == 0 { held = ByteBuffer() }
        context.fireChannelRead(wrapInboundOut(bytes))
        context.fireChannelReadComplete()
        if isHalfClosed && held.readableBytes == 0 {
            isHalfClosed = false
            context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
    }
}
