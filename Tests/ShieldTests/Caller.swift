import NIOCore
import NIOPosix
import Synchronization

/// A bare TCP client for tests: sends bytes and keeps what it receives.
final class Caller: Sendable {
    private final class Ear: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let heard = Mutex(ByteBuffer())
        private let waiting = Mutex<[(@Sendable (String) -> Bool, EventLoopPromise<String>)]>([])

        var text: String { heard.withLock { String(buffer: $0) } }

        func wait(_ channel: any Channel, for isEnough: @escaping @Sendable (String) -> Bool)
            -> EventLoopFuture<String>
        {
            let promise = channel.eventLoop.makePromise(of: String.self)
            waiting.withLock { $0.append((isEnough, promise)) }
            channel.eventLoop.execute { self.settle(atEnd: !channel.isActive) }
            return promise.futureResult
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            heard.withLock { _ = $0.writeBuffer(&bytes) }
            settle(atEnd: false)
        }

        func channelInactive(context: ChannelHandlerContext) { settle(atEnd: true) }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        private func settle(atEnd: Bool) {
            guard waiting.withLock({ !$0.isEmpty }) else { return }
            let text = text
            let done = waiting.withLock { waiting in
                let done = waiting.filter { atEnd || $0.0(text) }
                waiting.removeAll { atEnd || $0.0(text) }
                return done
            }
            for (_, promise) in done { promise.succeed(text) }
        }
    }

    let channel: any Channel
    private let ear: Ear

    init(_ group: any EventLoopGroup, to address: SocketAddress) async throws {
        let ear = Ear()
        self.ear = ear
        channel = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(ear) }
            }
            .connect(to: address).get()
    }

    func say(_ text: String) { channel.writeAndFlush(ByteBuffer(string: text), promise: nil) }

    /// Everything received, as soon as it contains `text` or the connection has ended.
    func hear(_ text: String) async throws -> String {
        try await ear.wait(channel) { $0.contains(text) }.get()
    }

    /// From now on takes 64 kB in a millisecond: slower than any sender.
    func takeSlowly() async throws {
        try await channel.setOption(.socketOption(.so_rcvbuf), value: 65_536).get()
        try await channel.setOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
            .get()
        try await channel.setOption(.maxMessagesPerRead, value: 1).get()
        try await channel.setOption(.autoRead, value: false).get()
        let channel = channel
        channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(1)) { task in
            if channel.isActive { channel.read() } else { task.cancel() }
        }
    }

    /// Everything received until the connection ends.
    func hearAll() async throws -> String {
        try await ear.wait(channel) { _ in false }.get()
    }
}
