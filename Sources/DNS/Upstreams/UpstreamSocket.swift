import NIOCore
import NIOPosix

/// A UDP socket on a port that the kernel picks, for the attempts of one exchange.
final class UpstreamSocket {
    private let loop: ResolverLoop
    private let onReceive: (ByteBuffer, SocketAddress) -> Void
    private var channel: (any Channel)?
    private var queue: [(Attempt, SocketAddress, () -> Void)] = []
    private var state = State.opening

    private static let anyIPv4 = try! SocketAddress(ipAddress: "0.0.0.0", port: 0)
    private static let anyIPv6 = try! SocketAddress(ipAddress: "::", port: 0)

    private enum State { case opening, open, closed }

    init(
        _ family: NIOBSDSocket.ProtocolFamily, _ loop: ResolverLoop,
        onReceive: @escaping (ByteBuffer, SocketAddress) -> Void
    ) {
        self.loop = loop
        self.onReceive = onReceive
        loop.sockets += 1
        open(family)
    }

    private func open(_ family: NIOBSDSocket.ProtocolFamily) {
        let handler = NIOLoopBound(Receiver(self), eventLoop: loop.eventLoop)
        DatagramBootstrap(group: loop.eventLoop)
            .channelOption(
                .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: WireSize.usualDatagram)
            )
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .bind(to: family == .inet6 ? Self.anyIPv6 : Self.anyIPv4)
            .assumeIsolated()
            .whenComplete { [self] in opened($0) }
    }

    private func opened(_ result: Result<any Channel, any Error>) {
        guard case .success(let channel) = result else {
            loop.sockets -= 1
            state = .closed
            for (_, _, onError) in queue { onError() }
            return queue.removeAll()
        }
        guard state == .opening else {
            loop.sockets -= 1
            return channel.close(promise: nil)
        }
        self.channel = channel
        state = .open
        for (attempt, address, onError) in queue { send(attempt, to: address, onError: onError) }
        queue.removeAll()
    }

    /// - Parameter onError: called when the message could not be sent.
    func send(_ attempt: Attempt, to address: SocketAddress, onError: @escaping () -> Void) {
        guard let channel else { return queue.append((attempt, address, onError)) }
        let envelope = AddressedEnvelope(
            remoteAddress: address, data: attempt.message(channel.allocator))
        channel.writeAndFlush(envelope).assumeIsolated().whenFailure { _ in onError() }
    }

    func close() {
        queue.removeAll()
        if let channel {
            loop.sockets -= 1
            channel.close(promise: nil)
        }
        channel = nil
        state = .closed
    }

    fileprivate func received(_ envelope: AddressedEnvelope<ByteBuffer>) {
        if state == .open { onReceive(envelope.data, envelope.remoteAddress) }
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        private weak var socket: UpstreamSocket?

        init(_ socket: UpstreamSocket) {
            self.socket = socket
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            socket?.received(unwrapInboundIn(data))
        }

        /// A single failed read or write is no reason to stop waiting for the right reply.
        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
