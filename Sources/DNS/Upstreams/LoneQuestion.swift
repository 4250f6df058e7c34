import NIOCore
import NIOPosix

/// A question to one server over a socket of its own, past the filter, the cache and the order of upstreams.
struct LoneQuestion: Sendable {
    /// In wire form.
    let name: [UInt8]
    let type: UInt16

    /// The whole reply, at least a header long; nil when none came.
    ///
    /// - Parameter patience: for a question that is sent twice, the second time after half of it.
    func ask(_ server: SocketAddress, _ loop: any EventLoop, _ patience: TimeAmount) async -> [UInt8]? {
        let answered = loop.makePromise(of: [UInt8]?.self)
        loop.execute { send(to: server, on: loop, patience, answered) }
        return (try? await answered.futureResult.get()) ?? nil
    }

    private func send(
        to server: SocketAddress, on loop: any EventLoop, _ patience: TimeAmount,
        _ answered: EventLoopPromise<[UInt8]?>
    ) {
        let wire = WireName()
        guard name.withUnsafeBytes({ wire.read($0, at: 0) }) != nil else { return answered.succeed(nil) }
        let attempt = Attempt(0, wire, type: type, variant: 0, usesEDNS: false)
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
        private let answered: EventLoopPromise<[UInt8]?>

        init(_ attempt: Attempt, _ server: SocketAddress, _ answered: EventLoopPromise<[UInt8]?>) {
            self.attempt = attempt
            self.server = server
            self.answered = answered
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            guard Exchange.isSame(server, envelope.remoteAddress) else { return }
            envelope.data.withUnsafeReadableBytes { bytes in
                guard attempt.isAnswered(by: bytes) else { return }
                answered.succeed([UInt8](bytes))
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}
    }
}
