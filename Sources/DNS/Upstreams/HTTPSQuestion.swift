import NIOCore
import NIOHPACK
import NIOHTTP2

/// One question as an HTTP request (RFC 8484), on its own stream.
struct HTTPSQuestion {
    enum Outcome {
        case reply(ByteBuffer)
        /// The server answered with an HTTP error (RFC 8484, 4.2.1), or with anything but a DNS message.
        case refusal
        /// The stream ended before any answer: a server that leaves returns the question so (RFC 9113, 8.7).
        case silence
    }

    static let mediaType = "application/dns-message"

    /// Whether a Content-Type is that of a DNS message; its case and its parameters say nothing (RFC 9110, 8.3.1).
    static func isMessage(contentType: String?) -> Bool {
        contentType?.prefix { $0 != ";" && $0 != " " && $0 != "\t" }.lowercased() == mediaType
    }

    private let headers: HPACKHeaders
    private let message: ByteBuffer

    init(_ server: UpstreamServer, _ message: ByteBuffer) {
        let path = if case .https(let path) = server.transport { path } else { "/" }
        self.message = message
        headers = [
            ":method": "POST", ":scheme": "https", ":authority": server.authority, ":path": path,
            "accept": Self.mediaType, "content-type": Self.mediaType,
            "content-length": "\(message.readableBytes)",
        ]
    }

    /// - Parameter onEnd: called once.
    func ask(
        on streams: NIOHTTP2Handler.StreamMultiplexer, _ loop: any EventLoop,
        onEnd: @escaping (Outcome) -> Void
    ) {
        let handler = NIOLoopBound(Receiver(onEnd), eventLoop: loop)
        let (headers, message) = (headers, message)
        streams.createStreamChannel { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(handler.value)
            }
        }.whenComplete { result in
            guard case .success(let stream) = result else { return handler.value.end(.silence) }
            stream.write(HTTP2Frame.FramePayload.headers(.init(headers: headers)), promise: nil)
            let data = HTTP2Frame.FramePayload.Data(data: .byteBuffer(message), endStream: true)
            stream.writeAndFlush(HTTP2Frame.FramePayload.data(data), promise: nil)
        }
    }

    private final class Receiver: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame.FramePayload

        private var onEnd: ((Outcome) -> Void)?
        private var body = ByteBuffer()
        private var isGood = false
        private var hasSpoken = false

        init(_ onEnd: @escaping (Outcome) -> Void) { self.onEnd = onEnd }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .headers(let part):
                hasSpoken = true
                if part.headers.first(name: ":status") == "200" {
                    isGood = HTTPSQuestion.isMessage(contentType: part.headers.first(name: "content-type"))
                }
                if part.endStream { end(isGood ? .reply(body) : .refusal) }
            case .data(let part):
                guard case .byteBuffer(var bytes) = part.data else { return }
                body.writeBuffer(&bytes)
                if body.readableBytes > WireSize.message {
                    end(.refusal)
                    return context.close(promise: nil)
                }
                if part.endStream { end(isGood ? .reply(body) : .refusal) }
            default: break
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(hasSpoken ? .refusal : .silence)
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

        func end(_ outcome: Outcome) {
            let onEnd = onEnd
            self.onEnd = nil
            onEnd?(outcome)
        }
    }
}
