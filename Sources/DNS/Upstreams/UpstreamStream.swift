import NIOCore
import NIOPosix

/// One question to an upstream over TCP, after its UDP reply was cut short or came in another case.
final class UpstreamStream {
    private let attempt: Attempt
    private let address: SocketAddress
    private let loop: ResolverLoop
    private var channel: (any Channel)?
    private var onEnd: ((ByteBuffer?) -> Void)?

    /// Nil if the event loop has as many connections open as it may.
    init?(_ attempt: Attempt, _ address: SocketAddress, _ loop: ResolverLoop) {
        guard loop.takeStream() else { return nil }
        self.attempt = attempt
        self.address = address
        self.loop = loop
    }

    deinit { loop.streamClosed() }

    /// - Parameter onEnd: called once, with the reply or with nil when there is none.
    func start(onEnd: @escaping (ByteBuffer?) -> Void) {
        self.onEnd = onEnd
        let handler = NIOLoopBound(Receiver(self), eventLoop: loop.eventLoop)
        ClientBootstrap(group: loop.eventLoop)
            .connectTimeout(.seconds(2))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .connect(to: address)
            .assumeIsolated()
            .whenComplete { [self] in connected($0) }
    }

    private func connected(_ result: Result<any Channel, any Error>) {
        guard case .success(let channel) = result else { return end(nil) }
        guard onEnd != nil else { return channel.close(promise: nil) }
        self.channel = channel
        var buffer = channel.allocator.buffer(capacity: 512)
        let message = attempt.message(channel.allocator)
        buffer.writeInteger(UInt16(message.readableBytes))
        buffer.writeImmutableBuffer(message)
        channel.writeAndFlush(buffer, promise: nil)
    }

    fileprivate func end(_ reply: ByteBuffer?) {
        let onEnd = onEnd
        close()
        onEnd?(reply)
    }

    func close() {
        onEnd = nil
        channel?.close(promise: nil)
        channel = nil
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private weak var stream: UpstreamStream?
        private var received = ByteBuffer()

        init(_ stream: UpstreamStream) {
            self.stream = stream
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var data = unwrapInboundIn(data)
            received.writeBuffer(&data)
            guard let length = received.getInteger(at: received.readerIndex, as: UInt16.self),
                let message = received.getSlice(at: received.readerIndex + 2, length: Int(length))
            else { return }
            let isReply = message.withUnsafeReadableBytes { bytes in
                stream?.attempt.isAnswered(by: bytes, ignoringCase: true) ?? false
            }
            stream?.end(isReply ? message : nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            stream?.end(nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
