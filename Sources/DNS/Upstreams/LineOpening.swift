import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// Opens an encrypted connection to one address after the other until one is authenticated as the server.
struct LineOpening {
    let server: UpstreamServer
    let tls: UpstreamTLS
    let loop: any EventLoop

    /// How many addresses of one name are tried; all together they have the line's time for opening.
    static let mostAddresses = 8

    /// Connects, and tells `line` when its handshake is over; ends it if no address is the server.
    func start(_ addresses: [SocketAddress], for line: UpstreamLine) {
        attempt(addresses.prefix(Self.mostAddresses), line)
    }

    private func attempt(_ addresses: ArraySlice<SocketAddress>, _ line: UpstreamLine) {
        guard line.isOpening, let address = addresses.first else { return line.end() }
        let bound = NIOLoopBound(line, eventLoop: loop)
        let next = NIOLoopBound({ attempt(addresses.dropFirst(), line) }, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(.milliseconds(1200))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try dress(channel, bound.value, next.value) }
            }
            .connect(to: address)
            .whenFailure { _ in next.value() }
    }

    /// - Parameter next: called when the connection ends before the line is open.
    private func dress(_ channel: any Channel, _ line: UpstreamLine, _ next: @escaping () -> Void) throws {
        let pipeline = channel.pipeline.syncOperations
        line.tries(channel)
        let context = server.transport == .tls ? tls.overTLS : tls.overHTTPS
        // Without a name, the certificate must hold the address that was connected to (RFC 8310, 8.1).
        try pipeline.addHandler(
            NIOSSLClientHandler(context: context, serverHostname: server.authenticationName))
        if case .https = server.transport {
            try pipeline.addHandler(HTTPSLineHandler(line, next))
        } else {
            try pipeline.addHandler(TLSLineHandler(line, next))
        }
    }
}

extension UpstreamLine {
    /// Whether the certificate holds the expected name; without a name, TLS has checked the address.
    fileprivate func isExpected(_ context: ChannelHandlerContext) -> Bool {
        guard let name = server.authenticationName else { return true }
        guard let certificate = try? context.pipeline.syncOperations.nioSSL_peerCertificate() else {
            return false
        }
        return CertificateName.isHeld(name, by: certificate)
    }
}

/// The client's end of DNS over TLS: cuts what arrives into messages.
private final class TLSLineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let line: UpstreamLine
    private let next: () -> Void
    private var received = ByteBuffer()

    init(_ line: UpstreamLine, _ next: @escaping () -> Void) { (self.line, self.next) = (line, next) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted = event as? TLSUserEvent {
            guard line.isExpected(context) else { return context.close(promise: nil) }
            line.opened(context.channel, nil)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        received.writeBuffer(&data)
        while let length = received.getInteger(at: received.readerIndex, as: UInt16.self),
            received.readableBytes >= 2 + Int(length)
        {
            received.moveReaderIndex(forwardBy: 2)
            if let message = received.readSlice(length: Int(length)), message.readableBytes >= WireSize.header
            {
                line.received(message)
            }
        }
        if received.readableBytes == 0 { received.clear() } else { received.discardReadBytes() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        line.isOpening ? next() : line.end()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// The client's end of DNS over HTTPS: adds HTTP/2 if the handshake agreed on it, and closes otherwise.
private final class HTTPSLineHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let line: UpstreamLine
    private let next: () -> Void
    private var isOpen = false

    init(_ line: UpstreamLine, _ next: @escaping () -> Void) { (self.line, self.next) = (line, next) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted(let protocolName) = event as? TLSUserEvent, !isOpen {
            guard protocolName == "h2", line.isExpected(context) else { return context.close(promise: nil) }
            isOpen = true
            open(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func open(_ context: ChannelHandlerContext) {
        do {
            let pipeline = context.pipeline.syncOperations
            // Closes streams that the server pushes: nobody asked for them.
            let streams = try pipeline.configureHTTP2Pipeline(
                mode: .client, connectionConfiguration: .init(), streamConfiguration: .init(),
                inboundStreamInitializer: { $0.close() })
            try pipeline.addHandler(FarewellHandler(line))
            line.opened(context.channel, streams)
        } catch {
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        line.isOpening ? next() : line.end()
        context.fireChannelInactive()
    }
}

/// Handles GOAWAY and errors of the whole HTTP/2 connection.
private final class FarewellHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private let line: UpstreamLine

    init(_ line: UpstreamLine) { self.line = line }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway = unwrapInboundIn(data).payload { line.leave() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors of one stream are handled on that stream.
        if !(error is NIOHTTP2Errors.StreamError) { context.close(promise: nil) }
    }
}
