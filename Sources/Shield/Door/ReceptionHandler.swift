import Directory
import NIOCore

/// Holds a plain connection's bytes back until its first request head decides who receives it, then hands it over.
///
/// The receiver gets every byte from the first one, and keeps the connection.
final class ReceptionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What each decision leads to; all run on the channel's loop.
    struct Hosts {
        /// Adds the dashboard's handlers for a first request with a target; fails if the connection was closed.
        var dashboard: (any Channel, _ target: String) -> EventLoopFuture<Void>
        /// Adds the shield's handlers. Nil where a foreign name cannot be meant.
        var shield: ((any Channel) throws -> Void)?
        /// Connects with the host of a name if it is open to the client, else nil. When the future is done, bytes fired
        /// into the pipeline go to that host.
        var relay: (any Channel, _ name: String, _ first: ByteBuffer) -> EventLoopFuture<Void>? = { _, _, _ in
            nil
        }
        /// Whether a target is for DNS over HTTPS.
        var isQuery: (_ target: String) -> Bool = { _ in false }
        /// Adds the handlers of DNS over HTTPS.
        var queries: (any Channel) throws -> Void = { _ in }
    }

    private enum State { case peeking, handingOver, refusing, done }

    private var state = State.peeking
    private var peek: RequestPeek
    private let limits: DoorLimits
    private let hosts: Hosts
    private var received = ByteBuffer()
    private var isHalfClosed = false
    private var deadline: Scheduled<Void>?

    init(ownNames: OwnNames, limits: DoorLimits, isProxy: Bool = false, hosts: Hosts) {
        peek = RequestPeek(ownNames: ownNames, limit: limits.headBytes, isProxy: isProxy)
        self.limits = limits
        self.hosts = hosts
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.closeLater(in: limits.headTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        switch state {
        case .refusing: return
        case .done: return context.fireChannelRead(data)
        case .peeking, .handingOver: break
        }
        if received.readableBytes == 0 { received = bytes } else { received.writeBuffer(&bytes) }
        guard state == .peeking else { return }
        switch received.withUnsafeReadableBytes({ peek.look(at: $0) }) {
        case nil: break
        case .dashboard: handOver(context, host(context.channel))
        case .shield:
            guard let shield = hosts.shield else { return refuse(context, .misdirected) }
            handOver(context, relayed(context.channel, or: shield))
        case .refuse(let refusal): refuse(context, refusal)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if state == .done { context.fireChannelReadComplete() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch (event, state) {
        case (ChannelEvent.inputClosed, .peeking), (ChannelEvent.inputClosed, .refusing),
            (is ChannelShouldQuiesceEvent, .peeking):
            context.close(promise: nil)
        case (ChannelEvent.inputClosed, .handingOver):
            isHalfClosed = true
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    private func host(_ channel: any Channel) -> EventLoopFuture<Void> {
        guard hosts.isQuery(peek.target) else { return hosts.dashboard(channel, peek.target) }
        return channel.eventLoop.makeCompletedFuture { try hosts.queries(channel) }
    }

    /// A name that is open but still comes here, by an old DNS answer, is relayed. If its host cannot be reached, the
    /// shield says that the name is open.
    private func relayed(
        _ channel: any Channel, or shield: @escaping (any Channel) throws -> Void
    ) -> EventLoopFuture<Void> {
        guard let relay = peek.passage.flatMap({ hosts.relay(channel, $0, received) }) else {
            return channel.eventLoop.makeCompletedFuture { try shield(channel) }
        }
        let bound = NIOLoopBound(shield, eventLoop: channel.eventLoop)
        return relay.flatMapErrorThrowing { error in
            guard channel.isActive else { throw error }
            try bound.value(channel)
            try channel.syncOptions?.setOption(.autoRead, value: true)
        }
    }

    private func handOver(_ context: ChannelHandlerContext, _ hosting: EventLoopFuture<Void>) {
        state = .handingOver
        deadline?.cancel()
        context.handOver(from: self, to: hosting)
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        state = .done
        if received.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(received))
            context.fireChannelReadComplete()
        }
        received = ByteBuffer()
        if isHalfClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.leavePipeline(removalToken: removalToken)
    }

    private func refuse(_ context: ChannelHandlerContext, _ refusal: RequestPeek.BadRequest) {
        state = .refusing
        deadline?.cancel()
        received = ByteBuffer()
        let status: String
        var text = ""
        switch refusal {
        case .tls: return context.close(promise: nil)
        case .malformed: status = "400 Bad Request"
        case .tooLarge: status = "431 Request Header Fields Too Large"
        case .misdirected: status = "421 Misdirected Request"
        case .oldVersion:
            status = "505 HTTP Version Not Supported"
            text = "The reverse proxy asks by HTTP/1.0. In nginx, write: proxy_http_version 1.1;\n"
        }
        let head =
            "HTTP/1.1 \(status)\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
            + "content-length: \(text.utf8.count)\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + text)), promise: nil)
        deadline = context.closeGently()
    }
}

extension ChannelHandlerContext {
    /// Removes a handler when the handlers that receive the connection are there. If they cannot be, the connection is
    /// closed, or what `fail` says is done.
    func handOver(
        from handler: any RemovableChannelHandler, to hosting: EventLoopFuture<Void>,
        failing fail: @escaping (ChannelHandlerContext) -> Void = { $0.close(promise: nil) }
    ) {
        let bound = NIOLoopBound((handler, self, fail), eventLoop: eventLoop)
        hosting.whenComplete { result in
            let (handler, context, fail) = bound.value
            switch result {
            case .success: context.pipeline.syncOperations.removeHandler(handler, promise: nil)
            case .failure: fail(context)
            }
        }
    }

    /// Closes the connection after `time` unless the task is cancelled.
    func closeLater(in time: TimeAmount) -> Scheduled<Void> {
        let bound = NIOLoopBound(self, eventLoop: eventLoop)
        return eventLoop.scheduleTask(in: time) { bound.value.close(promise: nil) }
    }

    /// Ends the answer now and the connection two seconds later: closing with unread bytes would send a reset that can
    /// overtake the answer (RFC 9112, 9.6).
    func closeGently() -> Scheduled<Void> {
        close(mode: .output, promise: nil)
        return closeLater(in: .seconds(2))
    }
}
