import NIOCore
import NIOHTTP1
import Policy

/// Answers every request of a connection that asked for a foreign Host; it never reaches the dashboard.
final class ShieldHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let desk: ShieldDesk
    private let address: String
    private let origin: String
    private var request: HTTPRequestHead?
    private var dropped = 0
    private var isClosing = false
    private var isHalfClosed = false
    /// Answers whose last byte the kernel has not taken yet.
    private var unsent = 0
    private var stream: ShieldStreams.Stream?
    private var farewell: Scheduled<Void>?

    init(desk: ShieldDesk, address: String, origin: String) {
        self.desk = desk
        self.address = address
        self.origin = origin
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing, stream == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            if length > desk.limits.droppedBodyBytes || head.headers.contains(name: "expect") {
                answer(context, head, closing: true)
            } else {
                request = head
                dropped = 0
            }
        case .body(let bytes):
            dropped += bytes.readableBytes
            if dropped > desk.limits.droppedBodyBytes, let head = request {
                answer(context, head, closing: true)
            }
        case .end:
            if let head = request { answer(context, head, closing: !head.isKeepAlive) }
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        farewell?.cancel()
        leaveStream()
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, let stream { desk.streams.catchUp(stream) }
        context.fireChannelWritabilityChanged()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed {
            isHalfClosed = true
            // Closing now would drop what still waits to be sent.
            if stream != nil || unsent == 0 { context.close(promise: nil) }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// A request that the parser refuses: it has answered 400 and the connection ends.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func leaveStream() {
        if let stream { desk.streams.leave(stream) }
        stream = nil
    }

    private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, closing: Bool) {
        request = nil
        switch ShieldAnswer(head) {
        case .page(let name):
            let page = self.context(name)
            if let html = desk.page(page) {
                send(context, head, Self.status(page), "text/html; charset=utf-8", html, closing)
            } else {
                sendLine(context, head, page, closing)
            }
        case .text(let name):
            sendLine(context, head, self.context(name), closing)
        case .asset(let path):
            guard let asset = desk.facts.asset(path) else { return notFound(context, head, closing) }
            send(context, head, .ok, asset.contentType, asset.bytes, closing)
        case .missing:
            notFound(context, head, closing)
        case .badRequest:
            send(context, head, .badRequest, "text/plain; charset=utf-8", Array("Bad request.\n".utf8), true)
        case .events(let name):
            open(context, head, name)
        }
    }

    private func context(_ name: String) -> ShieldContext {
        ShieldContext(
            name: name, address: address, verdict: desk.facts.verdict(address, name), now: desk.facts.now(),
            origin: origin)
    }

    private static func status(_ page: ShieldContext) -> HTTPResponseStatus {
        page.verdict.block == nil ? .serviceUnavailable : .forbidden
    }

    private func sendLine(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ page: ShieldContext, _ closing: Bool
    ) {
        let line =
            page.verdict.block == nil ? "Not blocked. Try again in a moment.\n" : "Blocked right now.\n"
        send(context, head, Self.status(page), "text/plain; charset=utf-8", Array(line.utf8), closing)
    }

    private func notFound(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ closing: Bool) {
        send(context, head, .notFound, "text/plain; charset=utf-8", Array("Not found.\n".utf8), closing)
    }

    private func send(
        _ context: ChannelHandlerContext, _ request: HTTPRequestHead, _ status: HTTPResponseStatus,
        _ contentType: String, _ body: [UInt8], _ closing: Bool
    ) {
        let head = ShieldHead.make(status, contentType: contentType, length: body.count, closing: closing)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .HEAD && !body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        }
        isClosing = closing
        unsent += 1
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.whenComplete { _ in
            let (handler, context) = bound.value
            handler.answerSent(context)
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    private func answerSent(_ context: ChannelHandlerContext) {
        unsent -= 1
        if isHalfClosed && unsent == 0 {
            context.close(promise: nil)
        } else if isClosing && farewell == nil {
            farewell = context.closeGently()
        }
    }

    private func open(_ context: ChannelHandlerContext, _ request: HTTPRequestHead, _ name: String) {
        guard let stream = desk.streams.join(context.channel, address: address, name: name) else {
            return send(
                context, request, .serviceUnavailable, "text/plain; charset=utf-8", Array("Too many.\n".utf8),
                true)
        }
        self.stream = stream
        let head = ShieldHead.make(.ok, contentType: "text/event-stream", length: nil, closing: false)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        desk.streams.greet(stream)
    }
}
