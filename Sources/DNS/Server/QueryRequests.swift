import NIOCore
import NIOHTTP1

/// DNS over HTTPS (RFC 8484) on one HTTP/1.1 connection.
final class QueryRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The longest time from a request's head to its end.
    static let patience = TimeAmount.seconds(10)

    private let loop: ResolverLoop
    private var head: QueryHead?
    private var body = ByteBuffer()
    private var isKeptAlive = true
    private var isUnfinished = false
    private var isGone = false
    private var timer: Scheduled<Void>?

    init(_ loop: ResolverLoop) { self.loop = loop }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            body.clear()
            isUnfinished = true
            isKeptAlive = request.isKeepAlive
            head = QueryHead(
                request.method.rawValue, request.uri,
                contentType: request.headers.first(name: "content-type"),
                contentLength: request.headers.first(name: "content-length"))
        case .body(let part):
            guard head?.refusal == nil else { return }
            body.writeImmutableBuffer(part)
            guard body.readableBytes > WireSize.message else { return }
            head?.refusal = .payloadTooLarge
            body.clear()
        case .end:
            isUnfinished = false
            timer?.cancel()
            timer = nil
            guard let head else { return }
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            loop.answer(head, body, from: QueryPeer(context.channel)) { [weak self] reply in
                guard let self, !self.isGone else { return }
                self.write(bound.value, reply, to: head)
            }
        }
    }

    private func write(_ context: ChannelHandlerContext, _ reply: QueryReply, to request: QueryHead) {
        let (status, fields, body) = reply.parts
        var headers = HTTPHeaders(fields)
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        if !isKeptAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .head {
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        let closes = !isKeptAlive
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            if closes { bound.value.close(promise: nil) }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if isUnfinished && timer == nil {
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
                context.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        timer?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
