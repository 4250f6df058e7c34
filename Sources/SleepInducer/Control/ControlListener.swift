import Foundation
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Answers the commands of this machine's root or service user while the server runs.
struct ControlListener: Service {
    let path: String
    let group: any EventLoopGroup
    let logger: Logger
    let answer: @Sendable (ControlRequest) async -> ControlReply

    func run() async throws {
        let answer = answer
        let channel: any Channel
        do {
            channel = try await ServerBootstrap(group: group)
                .childChannelInitializer { child in
                    child.eventLoop.makeCompletedFuture {
                        try child.pipeline.syncOperations.addHandler(ControlHandler(answer: answer))
                    }
                }
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            chmod(path, 0o600)
        } catch {
            // The server goes on without the socket; only commands on this machine cannot reach it.
            logger.error(
                "Commands cannot reach this server", metadata: ["socket": "\(path)", "error": "\(error)"])
            try? await gracefulShutdown()
            return
        }
        try? await gracefulShutdown()
        try? await channel.close()
        unlink(path)
    }
}

/// Reads one line, answers it, closes.
private final class ControlHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: @Sendable (ControlRequest) async -> ControlReply
    private var line = ByteBuffer()

    init(answer: @escaping @Sendable (ControlRequest) async -> ControlReply) {
        self.answer = answer
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        line.writeBuffer(&bytes)
        guard line.readableBytes <= ControlWire.longestLine else { return context.close(promise: nil) }
        guard line.readableBytesView.last == UInt8(ascii: "\n") else { return }
        let request = Data(line.readableBytesView)
        let channel = context.channel
        Task { [answer] in
            let reply: ControlReply =
                if let request = try? JSONDecoder().decode(ControlRequest.self, from: request) {
                    await answer(request)
                } else {
                    .refused("This server does not know this command. Is it another version?")
                }
            let bytes = (try? ControlWire.line(reply)) ?? []
            try? await channel.writeAndFlush(ByteBuffer(bytes: bytes))
            try? await channel.close()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
