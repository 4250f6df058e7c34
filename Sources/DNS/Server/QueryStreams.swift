import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// DNS over HTTPS (RFC 8484) on one connection of HTTP/2, between NIO's handler of frames and its multiplexer. Streams of
/// queries are answered here, because a channel for a stream costs twice as much as its answer. The multiplexer gets the
/// others, and never hears of these.
final class QueryStreams: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private struct Request {
        var head: QueryHead
        var body = ByteBuffer()
        let begun: NIODeadline
        /// Nothing more is expected of the client.
        var isWhole = false
    }

    private let loop: ResolverLoop
    private let patience: TimeAmount
    private let admits: (HPACKHeaders) -> Bool
    /// The streams that are answered here, until they are closed.
    private var requests: [HTTP2StreamID: Request] = [:]
    private var peer = QueryPeer()
    private var timer: Scheduled<Void>?

    /// - Parameters:
    ///   - patience: the longest time from a request's head to its end.
    ///   - admits: decides by its head whether a query is answered here.
    init(
        _ loop: ResolverLoop, patience: TimeAmount = QueryRequests.patience,
        admits: @escaping (HPACKHeaders) -> Bool
    ) {
        self.loop = loop
        self.patience = patience
        self.admits = admits
    }

    func handlerAdded(context: ChannelHandlerContext) { peer = QueryPeer(context.channel) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if requests[frame.streamID] != nil {
            goOn(frame, context)
        } else if case .headers(let part) = frame.payload, let head = head(part.headers) {
            requests[frame.streamID] = Request(
                head: head, begun: context.eventLoop.now, isWhole: part.endStream)
            if part.endStream { answer(head, ByteBuffer(), on: frame.streamID, context) }
        } else {
            context.fireChannelRead(data)
        }
    }

    private func head(_ fields: HPACKHeaders) -> QueryHead? {
        let head = QueryHead(fields)
        return head.target != nil && admits(fields) ? head : nil
    }

    /// Takes another frame of a request. Trailers are ignored.
    private func goOn(_ frame: HTTP2Frame, _ context: ChannelHandlerContext) {
        switch frame.payload {
        case .data(let part):
            take(part, on: frame.streamID, context)
            if part.endStream { end(frame.streamID, context) }
        case .headers(let part):
            if part.endStream { end(frame.streamID, context) }
        default: break
        }
    }

    /// Keeps the window open: a body is bounded by its size, not by the window.
    private func take(
        _ part: HTTP2Frame.FramePayload.Data, on stream: HTTP2StreamID, _ context: ChannelHandlerContext
    ) {
        guard case .byteBuffer(let bytes) = part.data else { return }
        if requests[stream]?.head.refusal == nil {
            requests[stream]?.body.writeImmutableBuffer(bytes)
            if requests[stream]?.body.readableBytes ?? 0 > WireSize.message {
                requests[stream]?.head.refusal = .payloadTooLarge
            }
        }
        let taken = bytes.readableBytes + (part.paddingBytes.map { $0 + 1 } ?? 0)
        guard !part.endStream, taken > 0 else { return }
        write(.windowUpdate(windowSizeIncrement: taken), on: stream, context)
    }

    private func end(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        guard let request = requests[stream], !request.isWhole else { return }
        requests[stream]?.isWhole = true
        requests[stream]?.body = ByteBuffer()
        answer(request.head, request.body, on: stream, context)
    }

    private func answer(
        _ head: QueryHead, _ body: ByteBuffer, on stream: HTTP2StreamID, _ context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        var isLate = false
        loop.answer(head, body, from: peer) { [weak self] reply in
            // A client may give up its stream, or the connection.
            guard let self, self.requests[stream] != nil else { return }
            self.write(reply, to: head, on: stream, bound.value)
            if isLate { bound.value.flush() }
        }
        isLate = true
    }

    private func write(
        _ reply: QueryReply, to head: QueryHead, on stream: HTTP2StreamID, _ context: ChannelHandlerContext
    ) {
        let (status, fields, body) = reply.parts
        var headers = HPACKHeaders()
        headers.reserveCapacity(fields.count + 2)
        headers.add(name: ":status", value: "\(status.code)")
        for (name, value) in fields { headers.add(name: name, value: value) }
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        let isBodiless = head.method == .head
        write(.headers(.init(headers: headers, endStream: isBodiless)), on: stream, context)
        if isBodiless { return }
        write(.data(.init(data: .byteBuffer(body), endStream: true)), on: stream, context)
    }

    private func write(
        _ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, _ context: ChannelHandlerContext
    ) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
        startTimer(context)
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let end = event as? StreamClosedEvent { requests[end.streamID] = nil }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        requests.removeAll()
        timer?.cancel()
        context.fireChannelInactive()
    }

    /// Gives up requests that do not end in time.
    private func startTimer(_ context: ChannelHandlerContext) {
        let waiting = requests.values.lazy.filter { !$0.isWhole }
        guard timer == nil, let first = waiting.map(\.begun).min() else { return }
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: first + patience) {
            [weak self] in
            self?.timer = nil
            self?.giveUpOverdue(bound.value)
        }
    }

    private func giveUpOverdue(_ context: ChannelHandlerContext) {
        let end = context.eventLoop.now - patience
        for stream in requests.filter({ !$0.value.isWhole && $0.value.begun <= end }).keys {
            write(.rstStream(.cancel), on: stream, context)
        }
        context.flush()
        startTimer(context)
    }
}
