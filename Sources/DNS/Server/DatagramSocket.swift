import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The UDP socket of an endpoint on one event loop. It opens again if it closes unexpectedly: NIO closes a socket when
/// one reply cannot be sent (no route to a client, a firewall's veto), and one client's fault must not silence
/// everybody.
final class DatagramSocket {
    /// Where it listens.
    let address: SocketAddress
    private(set) var channel: (any Channel)?
    private let loop: ResolverLoop
    private let addresses: EndpointAddresses
    private let kept: KeptSockets
    /// Its index among the address's sockets.
    private let index: Int
    private var isWanted = true
    private var failures: Int64 = 0

    init(
        _ loop: ResolverLoop, _ addresses: EndpointAddresses, _ address: SocketAddress,
        _ kept: KeptSockets = .none, index: Int = 0
    ) {
        self.loop = loop
        self.addresses = addresses
        self.address = address
        self.kept = kept
        self.index = index
    }

    /// Opens the kept socket with its unread datagrams, or else a new one, which is then kept.
    func open() -> EventLoopFuture<Void> {
        if let known = kept.take(address, .datagram, index) {
            return bootstrap.withBoundSocket(known).assumeIsolated().map { [self] in opened($0) }
                .nonisolated()
        }
        return bootstrap.bind(to: address).assumeIsolated().map { [self] channel in
            if isWanted { kept.keep(channel, address, .datagram) }
            opened(channel)
        }.nonisolated()
    }

    /// The receive buffer holds questions while nobody reads: the kernel gives what `net.core.rmem_max` allows.
    private var bootstrap: DatagramBootstrap {
        let handler = NIOLoopBound(DatagramHandler(loop, addresses), eventLoop: loop.eventLoop)
        return DatagramBootstrap(group: loop.eventLoop)
            .channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: DatagramBatch.room)
            )
            .channelOption(.socketOption(.so_rcvbuf), value: 4 << 20)
            .channelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 1 << 20))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
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

    /// Reads nothing more; replies can still be sent.
    func pause() -> EventLoopFuture<Void> {
        isWanted = false
        guard let channel else { return loop.eventLoop.makeSucceededVoidFuture() }
        return channel.setOption(.autoRead, value: false)
    }

    /// Whether unread datagrams take more than half of the socket's receive buffer.
    var isFilling: Bool {
        let taken = try? channel?.pipeline.syncOperations
            .withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor -> Bool in
                // SK_MEMINFO_RMEM_ALLOC and SK_MEMINFO_RCVBUF of nine counters, in bytes.
                var memory = [UInt32](repeating: 0, count: 9)
                var length = socklen_t(memory.count * MemoryLayout<UInt32>.size)
                guard getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &memory, &length) == 0 else {
                    return false
                }
                return memory[0] > memory[1] / 2
            }
        return taken.flatMap { $0 } ?? false
    }

    func close() -> EventLoopFuture<Void> {
        isWanted = false
        guard let channel else { return loop.eventLoop.makeSucceededVoidFuture() }
        channel.close(promise: nil)
        return channel.closeFuture
    }
}
