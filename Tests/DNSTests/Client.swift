import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// How many records of TLS arrived.
final class RecordCount: Sendable {
    let value = Atomic(0)
}

/// A client on loopback that sends packets and takes the replies in the order of their arrival.
final class Client: Sendable {
    private let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    struct Silence: Error {}

    private init(_ channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>) {
        self.channel = channel
    }

    /// Over TCP, the caller puts the length before a packet, or leaves it out.
    static func connect(
        _ group: any EventLoopGroup, to address: SocketAddress, overTCP: Bool = false, overTLS: Bool = false,
        counting records: RecordCount? = nil
    ) async throws -> Client {
        let wrap: @Sendable (any Channel) -> EventLoopFuture<NIOAsyncChannel<ByteBuffer, ByteBuffer>> = {
            channel in
            channel.eventLoop.makeCompletedFuture {
                if let records {
                    try channel.pipeline.syncOperations.addHandler(RecordCounter(records))
                }
                if overTLS {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLClientHandler(context: Self.trustful(), serverHostname: nil))
                }
                if overTCP {
                    try channel.pipeline.syncOperations.addHandler(Frames())
                } else {
                    try channel.pipeline.syncOperations.addHandler(Envelopes())
                }
                return try NIOAsyncChannel(
                    wrappingChannelSynchronously: channel,
                    configuration: .init(isOutboundHalfClosureEnabled: true))
            }
        }
        if overTCP {
            return Client(
                try await ClientBootstrap(group: group).connect(to: address, channelInitializer: wrap))
        }
        return Client(
            try await DatagramBootstrap(group: group).connect(to: address, channelInitializer: wrap))
    }

    /// Accepts every certificate, as Android's automatic Private DNS does.
    private static func trustful() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.applicationProtocols = ["dot"]
        return try NIOSSLContext(configuration: configuration)
    }

    /// Sends the packets and returns the first `count` replies; throws `Silence` if they do not come in time.
    /// - Parameters:
    ///   - stopsAt: the ID of the last reply to wait for.
    ///   - closes: ends the output after the packets.
    func exchange(
        _ packets: [[UInt8]], count: Int? = nil, stopsAt last: UInt16? = nil, closes: Bool = false,
        within: Duration = .seconds(10)
    ) async throws -> [Message] {
        let wanted = count ?? packets.count
        return try await withThrowingTaskGroup(of: [Message].self) { group in
            group.addTask {
                try await self.channel.executeThenClose { inbound, outbound in
                    for packet in packets { try await outbound.write(ByteBuffer(bytes: packet)) }
                    if closes { outbound.finish() }
                    var messages: [Message] = []
                    for try await buffer in inbound {
                        messages.append(Message(Array(buffer.readableBytesView)))
                        if messages.count == wanted || messages.last?.id == last { break }
                    }
                    return messages
                }
            }
            group.addTask {
                try await Task.sleep(for: within)
                throw Silence()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? []
        }
    }

    /// A query behind its length, as TCP needs it.
    static func framed(_ query: [UInt8]) -> [UInt8] { Message.words(UInt16(query.count)) + query }

    /// Cuts what arrives over TCP into messages.
    private final class Frames: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias InboundOut = ByteBuffer
        private var received = ByteBuffer()

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.writeImmutableBuffer(unwrapInboundIn(data))
            while let length = received.getInteger(at: received.readerIndex, as: UInt16.self),
                received.readableBytes >= 2 + Int(length)
            {
                received.moveReaderIndex(forwardBy: 2)
                context.fireChannelRead(wrapInboundOut(received.readSlice(length: Int(length))!))
            }
        }
    }

    /// Counts records by their heads (RFC 8446, 5.1): a byte for the type, two for the version, two for the length.
    private final class RecordCounter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let count: RecordCount
        private var received = ByteBuffer()

        init(_ count: RecordCount) { self.count = count }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.writeImmutableBuffer(unwrapInboundIn(data))
            while let length = received.getInteger(at: received.readerIndex + 3, as: UInt16.self),
                received.readSlice(length: 5 + Int(length)) != nil
            {
                count.value.add(1, ordering: .relaxed)
            }
            context.fireChannelRead(data)
        }
    }

    private final class Envelopes: ChannelDuplexHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>
        typealias InboundOut = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = AddressedEnvelope<ByteBuffer>

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(wrapInboundOut(unwrapInboundIn(data).data))
        }

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            guard let remote = context.remoteAddress else { return }
            let envelope = AddressedEnvelope(remoteAddress: remote, data: unwrapOutboundIn(data))
            context.write(wrapOutboundOut(envelope), promise: promise)
        }
    }
}
