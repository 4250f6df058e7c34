import NIOCore
import NIOHTTP2
import NIOSSL
import NIOTLS

/// The handlers of a connection whose TLS ends here: the handshake with its deadline, then the negotiated HTTP/1.1 or
/// 2.
struct SecureEntrance {
    /// What a connection becomes; all run on the channel's loop.
    struct Hosts: Sendable {
        /// Adds the handlers for HTTP/1.1.
        var plain: @Sendable (any Channel) throws -> Void
        /// Counts one more HTTP/2 stream; false if there is no room for it.
        var opensStream: @Sendable () -> Bool
        var closesStream: @Sendable () -> Void
        /// Adds what answers DNS queries over HTTP/2, before the streams get channels.
        var queries: @Sendable (any Channel) throws -> Void
        /// Decides who receives an HTTP/2 stream, and adds its handlers.
        var stream: @Sendable (any Channel) throws -> Void
    }

    /// Streams of one connection at a time.
    private static let mostStreams = 100

    let context: NIOSSLContext
    let headTime: TimeAmount
    let headBytes: Int
    let hosts: Hosts

    func open(_ channel: any Channel) throws {
        let (hosts, headBytes) = (hosts, headBytes)
        let agreement = ApplicationProtocolNegotiationHandler { result, channel in
            channel.eventLoop.makeCompletedFuture {
                guard case .negotiated("h2") = result else { return try hosts.plain(channel) }
                try Self.openStreams(channel, hosts, headBytes)
            }
        }
        try channel.pipeline.syncOperations.addHandlers([
            NIOSSLServerHandler(context: context), HandshakeDeadline(headTime), agreement,
        ])
    }

    private static func openStreams(_ channel: any Channel, _ hosts: Hosts, _ headBytes: Int) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: mostStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headBytes),
        ]
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            PaceHandler(.frames), JointWrites(),
            NIOHTTP2Handler(mode: .server, connectionConfiguration: connection),
            StreamGate(opens: hosts.opensStream, closes: hosts.closesStream),
        ])
        try hosts.queries(channel)
        let streams = HTTP2StreamMultiplexer(mode: .server, channel: channel) { stream in
            stream.eventLoop.makeCompletedFuture { try hosts.stream(stream) }
        }
        try pipeline.addHandlers([streams, ConnectionErrors()])
    }
}

/// Closes a connection whose handshake takes too long: NIOSSL itself has no deadline.
private final class HandshakeDeadline: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let time: TimeAmount
    private var deadline: Scheduled<Void>?

    init(_ time: TimeAmount) { self.time = time }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        deadline = context.eventLoop.scheduleTask(in: time) { channel.cut() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent { deadline?.cancel() }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is NIOSSLError || error is BoringSSLError else { return context.fireErrorCaught(error) }
        context.channel.cut()
    }
}

/// Ends a connection with broken HTTP/2; errors of one stream are reported on that stream.
private final class ConnectionErrors: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }
}

extension Channel {
    /// Closes it at once, on its event loop. Closing through TLS would wait five seconds for the client's close_notify
    /// and hold 57 KB meanwhile.
    func cut() {
        let tls = try? pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
        if let tls { tls.close(promise: nil) } else { close(promise: nil) }
    }
}
