import Directory
import NIOCore

/// The UDP socket of one endpoint on one event loop. Replies to datagrams that were read together are written into one
/// buffer and sent with one flush.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private struct Reply {
        let address: SocketAddress
        let offset: Int
        let length: Int
    }

    private let loop: ResolverLoop
    private let listening: Listening
    private var batch = ByteBuffer()
    private var replies: [Reply] = []
    /// The clock is read once for everything that arrived together.
    private var now: NIODeadline?

    init(_ loop: ResolverLoop, _ listening: Listening) {
        self.loop = loop
        self.listening = listening
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let client = ClientAddress(envelope.remoteAddress), client.canBeAnswered,
            envelope.remoteAddress.port != 0
        else { return }
        let now = now ?? .now()
        self.now = now
        let asking = Responder.Asking(client: client, endpoint: listening.own, isDatagram: true, now: now)
        var outcome = Responder.Outcome.silence
        let offset = batch.writerIndex
        let length = batch.writeWithUnsafeMutableBytes(minimumWritableBytes: WireSize.datagram) { target in
            let (result, length) = envelope.data.withUnsafeReadableBytes {
                loop.responder.respond($0, asking, into: target)
            }
            outcome = result
            return length
        }
        switch outcome {
        case .silence:
            break
        case .replied:
            replies.append(Reply(address: envelope.remoteAddress, offset: offset, length: length))
        case .resolve, .hold:
            wait(for: outcome, envelope, asking, context)
        }
    }

    private func wait(
        for outcome: Responder.Outcome, _ envelope: AddressedEnvelope<ByteBuffer>,
        _ asking: Responder.Asking, _ context: ChannelHandlerContext
    ) {
        let channel = context.channel
        let waiter = Exchange.Waiter(
            question: loop.responder.question(envelope.data.readableBytesView), asking: asking,
            holder: loop.responder.holder(of: asking.client)
        ) { reply in
            channel.writeAndFlush(
                AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: reply), promise: nil)
        }
        loop.wait(waiter, for: outcome)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        now = nil
        guard !replies.isEmpty else { return }
        if context.channel.isWritable {
            for reply in replies {
                guard let data = batch.getSlice(at: reply.offset, length: reply.length) else { continue }
                context.write(
                    wrapOutboundOut(AddressedEnvelope(remoteAddress: reply.address, data: data)), promise: nil
                )
            }
        }
        context.flush()
        replies.removeAll(keepingCapacity: true)
        batch.clear()
    }

    /// One failed read or write concerns one client, never the socket.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
