import Directory
import NIOCore
import NIOSSL

/// One connection over TCP (RFC 7766) or TLS (RFC 7858): many queries, each answered as soon as its answer is there. It
/// ends after ten seconds without a whole message, over TLS after thirty without a query. The handshake counts as a
/// message.
final class StreamHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Queries of one connection that may wait for upstreams at a time; more are read when some are answered.
    private static let mostWaiting = 64
    /// The most bytes in a record of TLS (RFC 8446, 5.1).
    private static let record = 1 << 14

    private let loop: ResolverLoop
    private let addresses: EndpointAddresses
    private let isSecure: Bool
    private let connections: Connections
    private var connection: Connections.Connection?
    private var client: ClientAddress?
    private var received = ByteBuffer()
    /// Answers that leave together: a record of TLS for each answer costs more than the answer.
    private var answers = ByteBuffer()
    private var waiting = 0
    /// When the connection ends, and when the timer looks. It is moved only when it fires, or to an earlier
    /// time: to move it with every query costs more than to let it fire too early.
    private var end = NIODeadline.distantFuture
    private var due = NIODeadline.distantFuture
    private var timer: Scheduled<Void>?
    private var inputIsClosed = false
    private var isReadHeld = false
    private var isReading = false

    init(_ loop: ResolverLoop, _ addresses: EndpointAddresses, isSecure: Bool = false) {
        self.loop = loop
        self.addresses = addresses
        self.isSecure = isSecure
        connections = isSecure ? loop.secureConnections : loop.connections
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let client = context.remoteAddress.flatMap({ ClientAddress($0) }), client.canBeAnswered,
            loop.responder.clients.client(client).isServed
        else { return context.close(promise: nil) }
        self.client = client
        enter(client, context)
        setEnd(context, .now() + loop.configuration.connectionPatience)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        timer = nil
        if let connection { connections.leave(connection) }
        connection = nil
        client = nil
        context.fireChannelInactive()
    }

    private func enter(_ client: ClientAddress, _ context: ChannelHandlerContext) {
        let connection = Connections.Connection(
            loop.responder.holder(of: client), at: .now()
        ) {
            // Below TLS, because a client may leave TLS's farewell unanswered for seconds.
            let tls = try? context.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
            (tls ?? context).close(promise: nil)
        }
        self.connection = connection
        connections.enter(connection)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var data = unwrapInboundIn(data)
        let isBeginning = received.readableBytes == 0
        received.writeBuffer(&data)
        readMessages(context)
        if isSecure && isBeginning && received.readableBytes > 0 {
            setEnd(context, .now() + loop.configuration.connectionPatience)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        send(context)
        endIfDone(context)
    }

    private func readMessages(_ context: ChannelHandlerContext) {
        // An answer that comes at once would call this again, one level deeper for every query.
        guard !isReading else { return }
        isReading = true
        defer { isReading = false }
        // The clock is read once for everything that arrived together.
        let now = NIODeadline.now()
        while client != nil, waiting < Self.mostWaiting, context.channel.isWritable,
            let length = received.getInteger(at: received.readerIndex, as: UInt16.self),
            let message = received.getSlice(at: received.readerIndex + 2, length: Int(length))
        {
            received.moveReaderIndex(forwardBy: 2 + Int(length))
            setEnd(context, now + idleTime)
            answer(message, now, context)
        }
        if received.readableBytes == 0 {
            received.clear(minimumCapacity: 0)
        } else {
            received.discardReadBytes()
        }
    }

    private func answer(_ message: ByteBuffer, _ now: NIODeadline, _ context: ChannelHandlerContext) {
        guard let client, let connection else { return }
        connection.lastActive = now
        let asking = Responder.Asking(
            client: client, endpoint: addresses.own, isDatagram: false, now: now, isEncrypted: isSecure)
        let (outcome, size) = message.withUnsafeReadableBytes {
            loop.responder.respond($0, asking, into: loop.scratch)
        }
        switch outcome {
        case .silence:
            send(context)
            context.close(promise: nil)
        case .replied:
            add(loop.scratch[..<size], context)
        case .resolve, .hold:
            wait(for: outcome, message, asking, connection, context)
        }
    }

    private func wait(
        for outcome: Responder.Outcome, _ message: ByteBuffer, _ asking: Responder.Asking,
        _ connection: Connections.Connection, _ context: ChannelHandlerContext
    ) {
        waiting += 1
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let waiter = Exchange.Waiter(
            question: loop.responder.question(message.readableBytesView), asking: asking,
            holder: connection.holder
        ) { [weak self] reply in
            guard let self, self.client != nil else { return }
            self.waiting -= 1
            connection.lastActive = .now()
            let context = bound.value
            self.add(reply.readableBytesView, context)
            self.goOn(context)
        }
        loop.wait(waiter, for: outcome)
    }

    /// Adds an answer, behind its length.
    private func add(_ message: some Collection<UInt8>, _ context: ChannelHandlerContext) {
        if answers.readableBytes + 2 + message.count > Self.record { write(context) }
        answers.reserveCapacity(minimumWritableBytes: 2 + message.count)
        answers.writeInteger(UInt16(message.count))
        answers.writeBytes(message)
    }

    private func write(_ context: ChannelHandlerContext) {
        guard answers.readableBytes > 0 else { return }
        let ready = answers
        answers = ByteBuffer()
        context.write(wrapOutboundOut(ready), promise: nil)
    }

    private func send(_ context: ChannelHandlerContext) {
        write(context)
        context.flush()
    }

    /// Stops reading from a client that does not read its answers, or asks faster than upstreams answer.
    func read(context: ChannelHandlerContext) {
        isReadHeld = waiting >= Self.mostWaiting || !context.channel.isWritable
        if !isReadHeld { context.read() }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { goOn(context) }
        context.fireChannelWritabilityChanged()
    }

    private func goOn(_ context: ChannelHandlerContext) {
        readMessages(context)
        send(context)
        if isReadHeld { read(context: context) }
        endIfDone(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent {
            inputIsClosed = true
            endIfDone(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// Closes when the client has sent all its queries and got all answers.
    private func endIfDone(_ context: ChannelHandlerContext) {
        if inputIsClosed && waiting == 0 { context.close(mode: .all, promise: nil) }
    }

    private var idleTime: TimeAmount {
        isSecure ? loop.configuration.secureIdleTime : loop.configuration.connectionPatience
    }

    private func setEnd(_ context: ChannelHandlerContext, _ end: NIODeadline) {
        self.end = end
        if end < due { startTimer(context) }
    }

    private func startTimer(_ context: ChannelHandlerContext) {
        timer?.cancel()
        due = end
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: end) {
            [weak self] in
            guard let self, self.client != nil else { return }
            let now = NIODeadline.now()
            if self.waiting > 0 && self.received.readableBytes == 0 {
                self.end = max(self.end, now + self.idleTime)
            }
            if self.end > now { self.startTimer(bound.value) } else { bound.value.close(promise: nil) }
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A client that ends its side without TLS's farewell still gets its answers; `inputClosed` follows.
        if case .uncleanShutdown? = error as? NIOSSLError { return }
        context.close(promise: nil)
    }
}
