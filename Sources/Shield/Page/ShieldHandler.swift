import Directory
import NIOCore
import NIOHTTP1
import Policy

/// Answers every request of a connection that named a foreign Host; the connection never reaches the dashboard.
final class ShieldHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    let desk: ShieldDesk
    private let peer: IPAddress?
    /// The address and holder of the peer, or of the client for whom a reverse proxy sends the current request.
    private(set) var address: String
    private(set) var holder: Holder
    private let origin: String
    /// Whether TLS ended here with the name's own certificate, so that the connection belongs to this name only.
    let isSecure: Bool
    private var request: HTTPRequestHead?
    /// The body of a press; nil: the body is dropped.
    private var form: [UInt8]?
    private var dropped = 0
    /// A press is in progress; the pipeline holds later requests back.
    var isActing = false
    private var isClosing = false
    private(set) var hasAnswered = false
    private var isHalfClosed = false
    /// A reverse proxy may send the next request, for other pages, over a connection that stays open.
    private var isProxied = false
    /// Answers whose last byte the kernel has not taken yet.
    private var unsent = 0
    private var stream: ShieldStreams.Stream?
    private var farewell: Scheduled<Void>?

    init(desk: ShieldDesk, address: String, holder: Holder, origin: String, isSecure: Bool = false) {
        self.desk = desk
        peer = IPAddress(address)
        self.address = address
        self.holder = holder
        self.origin = origin
        self.isSecure = isSecure
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing, stream == nil else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if let client = desk.client(of: head, from: peer) {
                (address, holder) = client
                isProxied = true
            }
            let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            form = Self.isPress(head) ? [] : nil
            if length > bodyLimit || head.headers.contains(name: "expect") {
                answerUnread(context, head)
            } else {
                request = head
                dropped = 0
            }
        case .body(let bytes):
            dropped += bytes.readableBytes
            if dropped > bodyLimit, let head = request {
                answerUnread(context, head)
            } else {
                form?.append(contentsOf: bytes.readableBytesView)
            }
        case .end:
            if let head = request { answer(context, head, closing: isProxied || !head.isKeepAlive) }
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
            // Closing now would lose bytes that still wait to be sent.
            if stream != nil || (unsent == 0 && !isActing) { context.close(promise: nil) }
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }

    /// The parser refused a request: it has answered 400, and the connection ends.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func leaveStream() {
        if let stream { desk.streams.leave(stream) }
        stream = nil
    }

    private var bodyLimit: Int { form == nil ? desk.limits.droppedBodyBytes : desk.limits.formBytes }

    private static func isPress(_ head: HTTPRequestHead) -> Bool {
        if case .action = ShieldAnswer(head) { true } else { false }
    }

    /// The body is too long, or the client waits for a `100 Continue` that it does not get.
    private func answerUnread(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
        guard form != nil else { return answer(context, head, closing: true) }
        request = nil
        send(
            context, head, .payloadTooLarge, "text/plain; charset=utf-8", Array("Too large.\n".utf8), true)
    }

    private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, closing: Bool) {
        request = nil
        let answer = ShieldAnswer(head)
        if leads(elsewhere: answer, head) { return sendElsewhere(context, head) }
        hasAnswered = true
        switch answer {
        case .page(let name):
            let page = self.context(name, path: LocalPath.checked(head.uri))
            sendPage(context, head, page, Self.status(page), closing || Self.isOpen(page))
        case .text(let name):
            let page = self.context(name)
            sendLine(context, head, page, closing || Self.isOpen(page))
        case .action(let action, let name):
            press(action, on: self.context(name), context, head, form ?? [], closing: closing)
        case .doing(let which, let query, let name):
            sendDoing(which, context, head, query, self.context(name), closing)
        case .here(let name):
            let status: HTTPResponseStatus = Self.isOpen(self.context(name)) ? .noContent : .forbidden
            send(context, head, status, "text/plain; charset=utf-8", [], true)
        case .state(let name):
            let page = self.context(name)
            let state = ShieldState(name: name, verdict: page.verdict).json(now: page.now)
            send(context, head, .ok, "application/json", state, closing || Self.isOpen(page))
        case .wrongMethod:
            send(
                context, head, .methodNotAllowed, "text/plain; charset=utf-8",
                Array("This address belongs to a button.\n".utf8), closing, [("allow", "POST")])
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

    private func context(_ name: String, path: String = "/") -> ShieldContext {
        desk.context(name, address, origin: origin, path: path)
    }

    /// A connection to an open name belongs to another server: the next connection asks DNS again.
    private static func isOpen(_ page: ShieldContext) -> Bool { page.verdict.block == nil }

    private static func status(_ page: ShieldContext) -> HTTPResponseStatus {
        isOpen(page) ? .serviceUnavailable : .forbidden
    }

    /// The page, or a line of text if the holder has used up its share of pages.
    func sendPage(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ page: ShieldContext,
        _ status: HTTPResponseStatus, _ closing: Bool, _ extra: [(String, String)] = []
    ) {
        var page = page
        page.languages = head.headers.first(name: "accept-language")
        guard let html = desk.page(page, for: holder) else {
            return sendLine(context, head, page, closing, status)
        }
        send(context, head, status, "text/html; charset=utf-8", html, closing, extra)
    }

    private func sendLine(
        _ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ page: ShieldContext, _ closing: Bool,
        _ status: HTTPResponseStatus? = nil
    ) {
        let line = Self.isOpen(page) ? "Not blocked. Try again in a moment.\n" : "Blocked right now.\n"
        send(
            context, head, status ?? Self.status(page), "text/plain; charset=utf-8", Array(line.utf8),
            closing)
    }

    private func notFound(_ context: ChannelHandlerContext, _ head: HTTPRequestHead, _ closing: Bool) {
        send(context, head, .notFound, "text/plain; charset=utf-8", Array("Not found.\n".utf8), closing)
    }

    func send(
        _ context: ChannelHandlerContext, _ request: HTTPRequestHead, _ status: HTTPResponseStatus,
        _ contentType: String, _ body: [UInt8], _ closing: Bool, _ extra: [(String, String)] = []
    ) {
        let length = status == .noContent ? nil : body.count
        let head = ShieldHead.make(
            status, contentType: contentType, length: length, closing: closing, extra: extra)
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
        guard let stream = desk.streams.join(context.channel, address: address, holder: holder, name: name)
        else {
            return send(
                context, request, .serviceUnavailable, "text/plain; charset=utf-8", Array("Too many.\n".utf8),
                true)
        }
        self.stream = stream
        let head = ShieldHead.make(
            .ok, contentType: "text/event-stream", length: nil, closing: false,
            extra: [("x-accel-buffering", "no")])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        desk.streams.greet(stream)
    }
}
