import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization

@testable import DNS

/// A client of DNS over HTTPS: one connection of HTTP/2, and one stream per request.
final class RequestClient: Sendable {
    struct Reply: Sendable {
        var status = ""
        var headers: [String: String] = [:]
        var body: [UInt8] = []
    }

    private let channel: any Channel
    private let streams: NIOHTTP2Handler.StreamMultiplexer

    private init(_ channel: any Channel, _ streams: NIOHTTP2Handler.StreamMultiplexer) {
        (self.channel, self.streams) = (channel, streams)
    }

    static func connect(to address: SocketAddress) async throws -> RequestClient {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.certificateVerification = .none
        tls.applicationProtocols = ["h2"]
        let context = try NIOSSLContext(configuration: tls)
        let pair = try await ClientBootstrap(group: House.group).connect(to: address) { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
                let streams = try pipeline.configureHTTP2Pipeline(
                    mode: .client, connectionConfiguration: .init(), streamConfiguration: .init(),
                    inboundStreamInitializer: { $0.close() })
                return (channel, streams)
            }
        }
        return RequestClient(pair.0, pair.1)
    }

    func post(
        _ body: [UInt8], to path: String = "/dns-query", type: String? = "application/dns-message",
        authority: String = "sleep.home.arpa"
    ) async throws -> Reply {
        try await ask("POST", path, type: type, body: body, authority: authority)
    }

    /// Sends a query and gives its stream up as soon as `isThere`.
    func giveUp(_ body: [UInt8], when isThere: () -> Bool) async throws {
        let (stream, done) = try await send("POST", "/dns-query", "application/dns-message", body)
        while !isThere() { await Task.yield() }
        try? await stream.close()
        _ = await done.result
    }

    /// Sends the head of a query whose body never comes; returns when the server has given it up.
    func begin() async throws {
        let (stream, done) = try await send(
            "POST", "/dns-query", "application/dns-message", nil, isWhole: false)
        _ = try? await stream.closeFuture.get()
        _ = await done.result
    }

    func ask(
        _ method: String, _ path: String, type: String? = nil, body: [UInt8]? = nil,
        authority: String = "sleep.home.arpa"
    ) async throws -> Reply {
        try await send(method, path, type, body, authority).done.value
    }

    private func send(
        _ method: String, _ path: String, _ type: String?, _ body: [UInt8]?,
        _ authority: String = "sleep.home.arpa", isWhole: Bool = true
    ) async throws -> (stream: any Channel, done: Task<Reply, any Error>) {
        var headers: HPACKHeaders = [
            ":method": method, ":scheme": "https", ":authority": authority, ":path": path,
        ]
        if let type { headers.add(name: "content-type", value: type) }
        let done = channel.eventLoop.makePromise(of: Reply.self)
        let stream = try await streams.createStreamChannel { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(Receiver(done))
            }
        }.get()
        stream.write(
            HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: isWhole && body == nil)),
            promise: nil)
        if let body {
            stream.write(
                HTTP2Frame.FramePayload.data(
                    .init(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)), promise: nil)
        }
        stream.flush()
        return (stream, Task { try await done.futureResult.get() })
    }

    func close() async throws { try await channel.close() }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload
        private let done: EventLoopPromise<Reply>
        private var reply = Reply()

        init(_ done: EventLoopPromise<Reply>) { self.done = done }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let part):
                reply.status = part.headers.first(name: ":status") ?? ""
                for header in part.headers { reply.headers[header.name] = header.value }
                if part.endStream { done.succeed(reply) }
            case .data(let part):
                if case .byteBuffer(let bytes) = part.data { reply.body += bytes.readableBytesView }
                if part.endStream { done.succeed(reply) }
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) { done.fail(Client.Silence()) }
    }
}

extension House {
    /// Opens a listener for DNS over HTTPS; the caller closes it.
    func openRequests(patience: TimeAmount = QueryRequests.patience) async throws -> any Channel {
        let context = try TestAuthority.shared.server(names: ["sleep.home.arpa"], protocols: ["h2"])
        let resolver = resolver
        return try await ServerBootstrap(group: Self.oneLoop)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: context))
                    try pipeline.addHandler(NIOHTTP2Handler(mode: .server))
                    try pipeline.addHandler(
                        QueryStreams(resolver.loops.of(channel.eventLoop), patience: patience) {
                            $0.first(name: ":authority") != "foreign.example"
                        })
                    try pipeline.addHandler(
                        HTTP2StreamMultiplexer(mode: .server, channel: channel) { stream in
                            stream.eventLoop.makeCompletedFuture {
                                try stream.pipeline.syncOperations.addHandler(Elsewhere())
                            }
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }
}

/// Answers what is no query to this server, when the request has ended.
private final class Elsewhere: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let part) where part.endStream: answer(context)
        case .data(let part) where part.endStream: answer(context)
        default: break
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let headers: HPACKHeaders = [":status": "404", "cache-control": "no-store"]
        context.writeAndFlush(
            wrapOutboundOut(.headers(.init(headers: headers, endStream: true))), promise: nil)
    }
}
