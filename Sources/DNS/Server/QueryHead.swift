import Directory
import NIOCore
import NIOHPACK
import NIOHTTP1

/// The head of a request for DNS over HTTPS (RFC 8484, 4.1), from HTTP/1.1 or HTTP/2.
struct QueryHead {
    enum Method { case get, head, post, other }

    let method: Method
    let target: QueryTarget?
    /// Why it is no query; the body can be another reason.
    var refusal: HTTPResponseStatus?

    /// - Parameter contentLength: in bytes; nil if the head does not say.
    init(_ method: String, _ uri: String, contentType: String?, contentLength: String?) {
        self.method =
            switch method {
            case "GET": .get
            case "HEAD": .head
            case "POST": .post
            default: .other
            }
        target = QueryTarget(uri)
        refusal = refusal(contentType, contentLength)
    }

    /// The head of a request over HTTP/2, whose names are in lower case. The first field of a name counts.
    init(_ fields: HPACKHeaders) {
        var method: String?
        var uri: String?
        var type: String?
        var length: String?
        for (name, value, _) in fields {
            switch name {
            case ":method": method = method ?? value
            case ":path": uri = uri ?? value
            case "content-type": type = type ?? value
            case "content-length": length = length ?? value
            default: break
            }
        }
        self.init(method ?? "", uri ?? "", contentType: type, contentLength: length)
    }

    private func refusal(_ contentType: String?, _ contentLength: String?) -> HTTPResponseStatus? {
        guard let target else { return .notFound }
        switch method {
        case .get, .head:
            return target.message == nil ? .badRequest : nil
        case .post:
            guard HTTPSQuestion.isMessage(contentType: contentType) else { return .unsupportedMediaType }
            let length = contentLength.flatMap { Int($0) } ?? 0
            return length > WireSize.message ? .payloadTooLarge : nil
        case .other:
            return .methodNotAllowed
        }
    }
}

/// The answer to a request for DNS over HTTPS: an HTTP status if it is no query, 200 with a DNS error if the query is
/// bad.
enum QueryReply {
    case message(ByteBuffer)
    case status(HTTPResponseStatus)

    /// Names and values, without the length; the body.
    var parts: (status: HTTPResponseStatus, fields: [(String, String)], body: ByteBuffer) {
        switch self {
        case .message(let message):
            // For this client alone: another may get another answer.
            let age = message.withUnsafeReadableBytes { CacheLifetime.of($0) }
            return (
                .ok,
                [("content-type", HTTPSQuestion.mediaType), ("cache-control", "private, max-age=\(age)")],
                message
            )
        case .status(let status):
            var fields = [("content-type", "text/plain; charset=utf-8"), ("cache-control", "no-store")]
            if status == .methodNotAllowed { fields.append(("allow", "GET, HEAD, POST")) }
            return (status, fields, ByteBuffer(string: "\(status.code) \(status.reasonPhrase)\n"))
        }
    }
}

/// The two ends of a connection for DNS over HTTPS.
struct QueryPeer {
    var client: ClientAddress?
    /// This machine's address.
    var own: SocketAddress?

    init() {}

    init(_ channel: any Channel) {
        client = channel.remoteAddress.flatMap { ClientAddress($0) }
        own = channel.localAddress
    }
}

extension ResolverLoop {
    /// Answers a whole request by the same rules as every other query: at once, or when an upstream has answered.
    func answer(
        _ head: QueryHead, _ body: ByteBuffer, from peer: QueryPeer,
        _ done: @escaping (QueryReply) -> Void
    ) {
        if let refusal = head.refusal { return done(.status(refusal)) }
        guard let target = head.target, let remote = peer.client, remote.canBeAnswered
        else { return done(.status(.badRequest)) }
        var body = body
        if head.method != .post {
            guard let message = target.message.flatMap({ QueryTarget.decoded($0) }) else {
                return done(.status(.badRequest))
            }
            guard message.readableBytes <= WireSize.message else { return done(.status(.payloadTooLarge)) }
            body = message
        }
        var client = remote
        if let id = target.device, responder.clients.client(remote).isServed {
            guard let device = responder.filter.devices[id] else { return done(.status(.notFound)) }
            client = device
        }
        let own = own(at: peer.own)
        let asking = Responder.Asking(
            client: client, endpoint: own, isDatagram: false, now: .now(), isEncrypted: true)
        let (outcome, size) = body.withUnsafeReadableBytes { responder.respond($0, asking, into: scratch) }
        switch outcome {
        case .silence: done(.status(.badRequest))
        case .replied: done(.message(ByteBuffer(bytes: scratch[..<size])))
        case .resolve, .hold:
            let waiter = Exchange.Waiter(
                question: responder.question(body.readableBytesView), asking: asking,
                holder: responder.holder(of: remote)
            ) { done(.message($0)) }
            wait(waiter, for: outcome)
        }
    }
}
