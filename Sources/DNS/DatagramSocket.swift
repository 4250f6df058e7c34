import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The UDP socket of an endpoint on one event loop. It opens again whenever it is closed against our will: NIO closes
/// a socket when one reply cannot be sent (no route to a client, a firewall's veto), and that client's fault must not
/// be everybody's silence.
final class DatagramSocket {
    /// Where it listens.
    let address: SocketAddress
    private(set) var channel: (any Channel)?
    private let loop: ResolverLoop
    private let listening: Listening
    private var isWanted = true
    private var failures: Int64 = 0

    init(_ loop: ResolverLoop, _ listening: Listening, _ address: SocketAddress) {
        self.loop = loop
        self.listening = listening
        self.address = address
    }

    func open() -> EventLoopFuture<Void> {
        let handler = NIOLoopBound(DatagramHandler(loop, listening), eventLoop: loop.eventLoop)
        return DatagramBootstrap(group: loop.eventLoop)
            .channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
            .channelOption(.datagramVectorReadMessageCount, value: 32)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 * 2048))
            .channelOption(.socketOption(.so_rcvbuf), value: 1 << 20)
            .channelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 1 << 20))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .bind(to: address)
            .assumeIsolated()
            .map { [self] in opened($0) }
            .nonisolated()
    }

    private func opened(_ channel: any Channel) {
        guard isWanted else { return channel.close(promise: nil) }
        self.channel = channel
        failures = 0
        channel.closeFuture.assumeIsolated().whenComplete { [self] _ in reopen() }
    }

    /// At once the first time, then with growing pauses up to a second: the address may be gone for a while.
    private func reopen() {
        channel = nil
        guard isWanted else { return }
        open().assumeIsolated().whenFailure { [self] _ in
            failures = min(failures + 1, 10)
            loop.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(100 * failures)) { [self] in
                reopen()
            }
        }
    }

    func close() -> EventLoopFuture<Void> {
        isWanted = false
        guard let channel else { return loop.eventLoop.makeSucceededVoidFuture() }
        channel.close(promise: nil)
        return channel.closeFuture
    }
}
