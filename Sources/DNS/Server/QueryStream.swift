import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2

/// DNS over HTTPS (RFC 8484) on one stream of HTTP/2. It handles frames, because a translation to HTTP/1.1 and back
/// costs as much as the answer.
final class QueryStream: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private let loop: ResolverLoop
    private var head: QueryHead?
    private var body = ByteBuffer()
    private var isOver = false
    private var timer: Scheduled<Void>?

    init(_ loop: ResolverLoop) { self.loop = loop }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .headers(let frame):
            // Trailers are ignored.
            if head == nil {
                head = QueryHead(
                    frame.headers.first(name: ":method") ?? "", frame.headers.first(name: ":path") ?? "",
                    contentType: frame.headers.first(name: "content-type"),
                    contentLength: frame.headers.first(name: "content-length"))
            }
            if frame.endStream { answer(context) }
        case .data(let frame):
            if case .byteBuffer(let part) = frame.data, head?.refusal == nil {
                body.writeImmutableBuffer(part)
                if body.readableBytes > WireSize.message { head?.refusal = .payloadTooLarge }
            }
            if frame.endStream { answer(context) }
        default: break
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        timer?.cancel()
        guard let head, !isOver else { return }
        isOver = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        loop.answer(head, body, from: context.channel) { [weak self] reply in
            guard self != nil, bound.value.channel.isActive else { return }
            Self.write(bound.value, reply, isHead: head.method == .head)
        }
    }

    private static func write(_ context: ChannelHandlerContext, _ reply: QueryReply, isHead: Bool) {
        let (status, fields, body) = reply.parts
        var headers = HPACKHeaders([(":status", "\(status.code)")])
        headers.reserveCapacity(fields.count + 2)
        for (name, value) in fields { headers.add(name: name, value: value) }
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        let frame = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: isHead))
        guard !isHead else { return context.writeAndFlush(NIOAny(frame), promise: nil) }
        context.write(NIOAny(frame), promise: nil)
        context.writeAndFlush(
            NIOAny(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(body), endStream: true))),
            promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !isOver && timer == nil {
            timer = context.eventLoop.assumeIsolated().scheduleTask(in: QueryRequests.patience) {
                context.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        isOver = true
        timer?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
