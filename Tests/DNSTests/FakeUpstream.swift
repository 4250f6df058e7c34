import NIOCore
import NIOPosix
import Synchronization

/// A server on loopback that answers as a test tells it, over UDP and TCP.
final class FakeUpstream: Sendable {
    /// A query that arrived, and the ways to answer it.
    struct Received: Sendable {
        let query: [UInt8]
        let isDatagram: Bool
        fileprivate let channel: any Channel
        fileprivate let source: SocketAddress?

        func reply(_ bytes: [UInt8]) {
            var buffer = ByteBuffer()
            guard let source else {
                buffer.writeInteger(UInt16(bytes.count))
                buffer.writeBytes(bytes)
                return channel.writeAndFlush(buffer, promise: nil)
            }
            buffer.writeBytes(bytes)
            channel.writeAndFlush(AddressedEnvelope(remoteAddress: source, data: buffer), promise: nil)
        }

        func reply(_ answers: [Message.Record], rcode: UInt16 = 0) {
            reply(Message.response(to: query, answers, rcode: rcode).bytes)
        }

        /// Ends the connection that carried it.
        func hangUp() { if source == nil { channel.close(promise: nil) } }

        /// Sends the same reply from a socket that was never asked.
        func replyFromElsewhere(_ bytes: [UInt8]) async throws {
            let other = try await DatagramBootstrap(group: channel.eventLoop).bind(host: "127.0.0.1", port: 0)
                .get()
            let envelope = AddressedEnvelope(remoteAddress: source!, data: ByteBuffer(bytes: bytes))
            try await other.writeAndFlush(envelope).get()
            try await other.close()
        }
    }

    let address: SocketAddress
    private let channels: [any Channel]
    private let log: Log

    fileprivate final class Log: Sendable {
        let seesLoopCheck: Bool

        init(_ seesLoopCheck: Bool) { self.seesLoopCheck = seesLoopCheck }

        let queries = Mutex<[[UInt8]]>([])
    }

    /// Queries that arrived, without those of the loop check.
    var queries: [[UInt8]] { log.queries.withLock { $0 } }

    /// - Parameter hasStreams: whether it accepts connections.
    init(
        _ group: any EventLoopGroup, seesLoopCheck: Bool = false, hasStreams: Bool = true,
        answer: @escaping @Sendable (Received) -> Void
    ) async throws {
        let log = Log(seesLoopCheck)
        let (datagrams, streams) = try await Self.open(group, log, answer)
        if !hasStreams { try await streams.close() }
        address = datagrams.localAddress!
        channels = [datagrams, streams]
        self.log = log
    }

    /// Both on one port. If the kernel's port for UDP is in use for TCP, another one is tried.
    private static func open(
        _ group: any EventLoopGroup, _ log: Log, _ answer: @escaping @Sendable (Received) -> Void
    ) async throws -> (any Channel, any Channel) {
        while true {
            let datagrams = try await DatagramBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Datagrams(log, answer))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
            let streams = try? await ServerBootstrap(group: group)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Streams(log, answer))
                    }
                }
                .bind(to: datagrams.localAddress!).get()
            if let streams { return (datagrams, streams) }
            try await datagrams.close()
        }
    }

    func stop() async {
        for channel in channels { try? await channel.close() }
    }

    /// An upstream that asks another server what it does not answer itself.
    static func relay(
        to other: SocketAddress, _ group: any EventLoopGroup,
        answers: @escaping @Sendable (Received) -> Bool = { _ in false }
    ) async throws -> FakeUpstream {
        try await FakeUpstream(group, seesLoopCheck: true) { received in
            guard received.query[2] & 0x80 == 0, !answers(received) else { return }
            let envelope = AddressedEnvelope(remoteAddress: other, data: ByteBuffer(bytes: received.query))
            received.channel.writeAndFlush(envelope, promise: nil)
        }
    }

    private static func take(_ received: Received, _ log: Log, _ answer: (Received) -> Void) {
        guard !log.seesLoopCheck else { return answer(received) }
        guard !String(decoding: received.query, as: UTF8.self).lowercased().contains("loop-") else { return }
        log.queries.withLock { $0.append(received.query) }
        answer(received)
    }

    private final class Datagrams: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        let log: Log
        let answer: @Sendable (Received) -> Void

        init(_ log: Log, _ answer: @escaping @Sendable (Received) -> Void) {
            self.log = log
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let envelope = unwrapInboundIn(data)
            let query = Array(envelope.data.readableBytesView)
            FakeUpstream.take(
                Received(
                    query: query, isDatagram: true, channel: context.channel, source: envelope.remoteAddress),
                log,
                answer)
        }
    }

    private final class Streams: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        let log: Log
        let answer: @Sendable (Received) -> Void

        init(_ log: Log, _ answer: @escaping @Sendable (Received) -> Void) {
            self.log = log
            self.answer = answer
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let query = Array(unwrapInboundIn(data).readableBytesView.dropFirst(2))
            FakeUpstream.take(
                Received(query: query, isDatagram: false, channel: context.channel, source: nil), log, answer)
        }
    }
}
