import NIOCore

/// Joins the small writes between two flushes. TLS would make a record of each: for an answer over HTTP/2, three.
final class JointWrites: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A larger write is a record of its own: copying it costs more than it saves. In bytes.
    private static let small = 4096
    /// What fills a record of TLS (RFC 8446, 5.1), in bytes.
    private static let most = 16_384

    private var held = ByteBuffer()
    private var promise: EventLoopPromise<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        let isSmall = bytes.readableBytes <= Self.small
        if !isSmall || held.readableBytes + bytes.readableBytes > Self.most { pass(context) }
        guard isSmall else { return context.write(data, promise: promise) }
        held.writeImmutableBuffer(bytes)
        guard let promise else { return }
        if let first = self.promise {
            first.futureResult.cascade(to: promise)
        } else {
            self.promise = promise
        }
    }

    func flush(context: ChannelHandlerContext) {
        pass(context)
        context.flush()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        pass(context)
        context.close(mode: mode, promise: promise)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        promise?.fail(ChannelError.ioOnClosedChannel)
        promise = nil
    }

    private func pass(_ context: ChannelHandlerContext) {
        guard held.readableBytes > 0 else { return }
        let (bytes, promise) = (held, self.promise)
        held = ByteBuffer()
        self.promise = nil
        context.write(wrapOutboundOut(bytes), promise: promise)
    }
}
