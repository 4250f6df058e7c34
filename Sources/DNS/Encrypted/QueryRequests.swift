import NIOCore
import NIOHTTP1

/// DNS over HTTPS (RFC 8484) on one HTTP/1.1 connection or one HTTP/2 stream, by the same rules as every other query.
/// What is no query gets its status; what is a bad one gets 200 and its DNS error.
final class QueryRequests: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// From a request's head to its end.
    static let patience = TimeAmount.seconds(10)

    private let loop: ResolverLoop
    private var body = ByteBuffer()
    private var target: QueryTarget?
    private var refusal: HTTPResponseStatus?
    private var isKeptAlive = true
    private var isUnfinished = false
    private var isGone = false
    private var timer: Scheduled<Void>?
    private var head: HTTPRequestHead?

    init(_ loop: ResolverLoop) { self.loop = loop }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            body.clear()
            isUnfinished = true
            isKeptAlive = head.isKeepAlive
            self.head = head
            target = QueryTarget(head.uri)
            refusal = refusal(of: head)
        case .body(let part):
            guard refusal == nil else { return }
            body.writeImmutableBuffer(part)
            if body.readableBytes > WireSize.message { refusal = .payloadTooLarge }
            if refusal != nil { body.clear() }
        case .end:
            isUnfinished = false
            timer?.cancel()
            timer = nil
            if let refusal { return answer(context, refusal) }
            answerQuery(context)
        }
    }

    private func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        guard target != nil else { return .notFound }
        switch head.method {
        case .GET:
            return target?.message == nil ? .badRequest : nil
        case .POST:
            let type = head.headers.first(name: "content-type")?.prefix { $0 != ";" && $0 != " " }
            guard type?.lowercased() == HTTPSQuestion.mediaType else { return .unsupportedMediaType }
            let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
            return length > WireSize.message ? .payloadTooLarge : nil
        default:
            return .methodNotAllowed
        }
    }

    private func answerQuery(_ context: ChannelHandlerContext) {
        guard let target, let remote = context.channel.remoteAddress.flatMap({ ClientAddress($0) }) else {
            return answer(context, .badRequest)
        }
        if head?.method == .GET {
            guard let bytes = target.message.flatMap({ QueryTarget.decoded($0) }) else {
                return answer(context, .badRequest)
            }
            guard bytes.count <= WireSize.message else { return answer(context, .payloadTooLarge) }
            body = ByteBuffer(bytes: bytes)
        }
        var client = remote
        if let id = target.device, loop.responder.clients.client(remote).isServed {
            guard let device = loop.responder.filter.devices[id] else { return answer(context, .notFound) }
            client = device
        }
        let own = loop.own(at: context.channel.localAddress)
        let asking = Responder.Asking(
            client: client, endpoint: own, isDatagram: false, now: .now(), isEncrypted: true)
        let (outcome, size) = body.withUnsafeReadableBytes {
            loop.responder.respond($0, asking, into: loop.scratch)
        }
        switch outcome {
        case .silence: answer(context, .badRequest)
        case .replied: answer(context, ByteBuffer(bytes: loop.scratch[..<size]))
        case .resolve, .hold: wait(for: outcome, client, own, context)
        }
    }

    private func wait(
        for outcome: Responder.Outcome, _ client: ClientAddress, _ own: OwnAddresses,
        _ context: ChannelHandlerContext
    ) {
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        let waiter = Exchange.Waiter(
            packet: [UInt8](body.readableBytesView), client: client, endpoint: own, isDatagram: false,
            isEncrypted: true
        ) { [weak self] reply in
            guard let self, !self.isGone else { return }
            self.answer(bound.value, reply)
        }
        loop.wait(waiter, for: outcome)
    }

    private func answer(_ context: ChannelHandlerContext, _ reply: ByteBuffer) {
        // For this client alone: another may get another answer.
        let age = reply.withUnsafeReadableBytes { CacheLifetime.of($0) }
        var headers = HTTPHeaders()
        headers.reserveCapacity(4)
        headers.add(name: "content-type", value: HTTPSQuestion.mediaType)
        headers.add(name: "cache-control", value: "private, max-age=\(age)")
        write(context, .ok, headers, reply)
    }

    private func answer(_ context: ChannelHandlerContext, _ status: HTTPResponseStatus) {
        var headers: HTTPHeaders = ["content-type": "text/plain; charset=utf-8", "cache-control": "no-store"]
        if status == .methodNotAllowed { headers.add(name: "allow", value: "GET, POST") }
        write(context, status, headers, ByteBuffer(string: "\(status.code) \(status.reasonPhrase)\n"))
    }

    private func write(
        _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ headers: HTTPHeaders,
        _ body: ByteBuffer
    ) {
        var headers = headers
        headers.add(name: "content-length", value: "\(body.readableBytes)")
        if !isKeptAlive { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if self.head?.method != .HEAD {
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

/// How long HTTP may keep a reply: as long as its smallest TTL (RFC 8484, 5.1).
enum CacheLifetime {
    /// Seconds; 0 for what failed, and for what cannot be read.
    static func of(_ message: UnsafeRawBufferPointer) -> UInt32 {
        guard message.count >= WireSize.header, message.u16(4) == 1 else { return 0 }
        let rcode = UInt8(message.u16(2) & 15)
        guard rcode == RCode.noError || rcode == RCode.nameError,
            let nameEnd = message.endOfName(at: WireSize.header)
        else { return 0 }
        var offset = nameEnd + 4
        var smallest: UInt32?
        for _ in 0..<Int(message.u16(6)) + Int(message.u16(8)) {
            guard let end = message.endOfName(at: offset), end + 10 <= message.count else { return 0 }
            smallest = min(smallest ?? .max, message.u32(end + 4))
            offset = end + 10 + Int(message.u16(end + 8))
        }
        return smallest ?? 0
    }
}
