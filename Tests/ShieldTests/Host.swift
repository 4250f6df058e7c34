import NIOCore
import NIOPosix
import Synchronization

/// A foreign server: keeps what it receives, echoes it, and ends with a word.
final class Host: Sendable {
    private final class Echo: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let host: Host
        init(_ host: Host) { self.host = host }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            host.all.withLock { _ = $0.writeBuffer(&bytes) }
            context.writeAndFlush(data, promise: nil)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard event as? ChannelEvent == .inputClosed else { return }
            let channel = context.channel
            channel.writeAndFlush(host.ending).whenComplete { _ in channel.close(promise: nil) }
        }
    }

    private let all = Mutex(ByteBuffer())
    private let listener = Mutex<(any Channel)?>(nil)

    var heard: [UInt8] { all.withLock { Array($0.readableBytesView) } }
    var address: SocketAddress { listener.withLock { $0!.localAddress! } }

    private let ending: ByteBuffer

    init(_ group: any EventLoopGroup, ending: ByteBuffer = ByteBuffer(string: "the end")) async throws {
        self.ending = ending
        let channel = try await ServerBootstrap(group: group)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Echo(self))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        listener.withLock { $0 = channel }
    }

    func close() async throws { try await listener.withLock { $0 }?.close() }
}
