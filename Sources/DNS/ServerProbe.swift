package import NIOCore
import NIOPosix

/// Asks servers a question that every resolver can answer, the root's name servers, to see who does. It goes past the
/// filter, the cache and the order of upstreams.
package enum ServerProbe {
    /// The response codes of those that answered within the patience.
    ///
    /// - Parameter patience: for a question that is sent twice, the second time after half of it.
    package static func ask(
        _ servers: [SocketAddress], group: any EventLoopGroup, patience: TimeAmount = .seconds(3)
    ) async -> [SocketAddress: UInt8] {
        await withTaskGroup(of: (SocketAddress, UInt8?).self) { tasks in
            for server in Set(servers) {
                tasks.addTask { (server, await ask(server, group.any(), patience)) }
            }
            var found: [SocketAddress: UInt8] = [:]
            for await (server, code) in tasks { found[server] = code }
            return found
        }
    }

    /// Whether a response code says that names are looked up there: no error, or no such name.
    package static func isUseful(_ code: UInt8) -> Bool { code == 0 || code == 3 }

    private static func ask(
        _ server: SocketAddress, _ loop: any EventLoop, _ patience: TimeAmount
    ) async -> UInt8? {
        let answered = loop.makePromise(of: UInt8?.self)
        loop.execute { send(to: server, on: loop, patience, answered) }
        return (try? await answered.futureResult.get()) ?? nil
    }

    private static func send(
        to server: SocketAddress, on loop: any EventLoop, _ patience: TimeAmount,
        _ answered: EventLoopPromise<UInt8?>
    ) {
        let name = WireName()
        guard [UInt8(0)].withUnsafeBytes({ name.read($0, at: 0) }) != nil else {
            return answered.succeed(nil)
        }
        let attempt = Attempt(0, name, type: RecordType.ns, variant: 0, usesEDNS: false, carrier: .datagram)
        let message = attempt.message(ByteBufferAllocator())
        let handler = NIOLoopBound(Receiver(attempt, server, answered), eventLoop: loop)
        let wildcard = server.protocol == .inet6 ? "::" : "0.0.0.0"
        let bound = DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .bind(host: wildcard, port: 0)
        bound.whenFailure { _ in answered.succeed(nil) }
        bound.whenSuccess { channel in
            for wait in [0, patience.nanoseconds / 2] {
                channel.eventLoop.scheduleTask(in: .nanoseconds(wait)) {
                    channel.writeAndFlush(
                        AddressedEnvelope(remoteAddress: server, data: message), promise: nil)
                }
            }
            let end = channel.eventLoop.scheduleTask(in: patience) { answered.succeed(nil) }
            answered.futureResult.whenComplete { _ in
                end.cancel()
                channel.close(promise: nil)
            }
        }
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        private let attempt: Attempt
        private let server: SocketAddress
        private let answered: EventLoopPromise<UInt8?>

        init(_ attempt: Attempt, _ server: SocketAddress, _ answered: EventLoopPromise<UInt8?>) {
            self.attempt = attempt
            self.server = server
            self.answered = answered
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            guard Exchange.isSame(server, envelope.remoteAddress) else { return }
            envelope.data.withUnsafeReadableBytes { bytes in
                guard attempt.isAnswered(by: bytes) else { return }
                answered.succeed(bytes[3] & 0x0f)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
