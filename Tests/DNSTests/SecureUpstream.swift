import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

@testable import DNS

/// A server on loopback for TLS or HTTPS that answers as a test tells it.
final class SecureUpstream: Sendable {
    /// A query that arrived, and the ways to answer it.
    struct Received: Sendable {
        let query: [UInt8]
        /// How many connections there have been, with this one.
        let connection: Int
        fileprivate let channel: any Channel
        fileprivate let isHTTPS: Bool

        func reply(_ answers: [Message.Record], rcode: UInt16 = 0) {
            reply(Message.response(to: query, answers, rcode: rcode).bytes)
        }

        func reply(_ bytes: [UInt8], status: String = "200", type: String = "application/dns-message") {
            guard isHTTPS else {
                let frame = ByteBuffer(bytes: Message.words(UInt16(bytes.count)) + bytes)
                return channel.writeAndFlush(frame, promise: nil)
            }
            let headers: HPACKHeaders = [":status": status, "content-type": type]
            channel.write(HTTP2Frame.FramePayload.headers(.init(headers: headers)), promise: nil)
            channel.writeAndFlush(
                HTTP2Frame.FramePayload.data(
                    .init(data: .byteBuffer(ByteBuffer(bytes: bytes)), endStream: true)), promise: nil)
        }

        /// Refuses the stream without an answer.
        func takeBack() {
            channel.writeAndFlush(HTTP2Frame.FramePayload.rstStream(.refusedStream), promise: nil)
        }

        /// Ends the connection, not the stream alone.
        func hangUp() {
            guard let connection = channel.parent, isHTTPS else { return channel.close(promise: nil) }
            // Answers of other streams go out when all that arrived together is read.
            connection.eventLoop.execute { connection.close(promise: nil) }
        }
    }

    let port: Int
    private let channel: any Channel
    private let counter: Counter

    /// - Parameter port: 0: the kernel picks a port.
    init(
        isHTTPS: Bool = false, names: [String] = [], addresses: [[UInt8]] = [[127, 0, 0, 1]],
        at host: String = "127.0.0.1", port: Int = 0,
        answer: @escaping @Sendable (Received) -> Void
    ) async throws {
        let context = try TestAuthority.shared.server(
            names: names, addresses: addresses, protocols: [isHTTPS ? "h2" : "dot"])
        let count = Counter()
        channel = try await ServerBootstrap(group: House.group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let number = count.next()
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    guard isHTTPS else { return try pipeline.addHandler(Frames(number, answer)) }
                    _ = try pipeline.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
                    ) { stream in
                        stream.eventLoop.makeCompletedFuture {
                            try stream.pipeline.syncOperations.addHandler(Requests(number, answer))
                        }
                    }
                }
            }
            .bind(host: host, port: port).get()
        self.port = channel.localAddress?.port ?? 0
        counter = count
    }

    /// Connections so far.
    var opened: Int { counter.value }

    func stop() async { try? await channel.close() }

    /// This server as an upstream, by its address or by a name.
    func server(path: String? = nil, host: String? = nil, name: String? = nil) throws -> UpstreamServer {
        let place: UpstreamServer.Location =
            try host.map { .name($0, port: port) }
            ?? .address(UpstreamAddress(SocketAddress(ipAddress: "127.0.0.1", port: port)))
        return UpstreamServer(
            transport: path.map { .https(path: $0) } ?? .tls, place: place, authenticationName: name ?? host)
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private final class Frames: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let number: Int
        private let answer: @Sendable (Received) -> Void
        private var received = ByteBuffer()

        init(_ number: Int, _ answer: @escaping @Sendable (Received) -> Void) {
            (self.number, self.answer) = (number, answer)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            received.writeImmutableBuffer(unwrapInboundIn(data))
            while let length = received.getInteger(at: received.readerIndex, as: UInt16.self),
                received.readableBytes >= 2 + Int(length)
            {
                received.moveReaderIndex(forwardBy: 2)
                let query = received.readBytes(length: Int(length)) ?? []
                let received = Received(
                    query: query, connection: number, channel: context.channel, isHTTPS: false)
                isLoopCheck(query) ? received.reply([], rcode: 3) : answer(received)
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private final class Requests: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        private let number: Int
        private let answer: @Sendable (Received) -> Void
        private var body: [UInt8] = []
        private var path = ""

        init(_ number: Int, _ answer: @escaping @Sendable (Received) -> Void) {
            (self.number, self.answer) = (number, answer)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let part): path = part.headers.first(name: ":path") ?? ""
            case .data(let part):
                if case .byteBuffer(let bytes) = part.data { body += bytes.readableBytesView }
                guard part.endStream, path == "/dns-query" else { return }
                let received = Received(
                    query: body, connection: number, channel: context.channel, isHTTPS: true)
                isLoopCheck(body) ? received.reply([], rcode: 3) : answer(received)
            default: break
            }
        }
    }
}

private func isLoopCheck(_ query: [UInt8]) -> Bool {
    String(decoding: query, as: UTF8.self).lowercased().contains("loop-")
}
