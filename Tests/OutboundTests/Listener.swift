import NIOCore
import NIOPosix
import Synchronization

/// A server that answers every complete request head with the same text; nil: with nothing.
final class Listener: Sendable {
    private let channel: any Channel
    private let text: Text

    var port: Int { channel.localAddress?.port ?? 0 }
    var heard: String { text.value.withLock { $0 } }

    init(answer: String?) async throws {
        let text = Text()
        self.text = text
        channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer, text))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    func close() async throws { try await channel.close() }

    fileprivate final class Text: Sendable {
        let value = Mutex("")
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let answer: String?
        private let text: Text
        private var hasAnswered = false

        init(_ answer: String?, _ text: Text) {
            self.answer = answer
            self.text = text
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let part = String(buffer: unwrapInboundIn(data))
            let isWhole = text.value.withLock { text in
                text += part
                return Self.isWhole(text)
            }
            guard let answer, isWhole, !hasAnswered else { return }
            hasAnswered = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
        }

        /// Input that is not HTTP is answered at once; the only body that these tests send ends with a brace.
        private static func isWhole(_ text: String) -> Bool {
            guard text.contains(" HTTP/1.1\r\n") else { return true }
            let hasBody = text.lowercased().contains("content-length: 7")
            return hasBody ? text.hasSuffix("}") : text.contains("\r\n\r\n")
        }
    }
}
