import Directory
import LinuxCalls
import NIOCore

/// The UDP socket of one endpoint on one event loop. NIO says when something waits there, by reading the first datagram
/// of it; the rest is read, answered and sent in batches.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    /// How many batches are answered before other sockets of the loop have their turn.
    private static let mostBatches = 8

    private let loop: ResolverLoop
    private let listening: Listening
    private var socket: NIOBSDSocket.Handle?

    init(_ loop: ResolverLoop, _ listening: Listening) {
        self.loop = loop
        self.listening = listening
    }

    func channelActive(context: ChannelHandlerContext) {
        socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        envelope.data.withUnsafeReadableBytes { loop.datagrams.add($0, from: envelope.remoteAddress) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard let socket else { return }
        // The clock is read once for everything that arrived together.
        let now = NIODeadline.now()
        for _ in 0..<Self.mostBatches {
            let isMoreThere = loop.datagrams.read(from: socket)
            loop.datagrams.answerEach { answer($0, $1, into: $2, now, context) }
            loop.datagrams.send(to: socket)
            if !isMoreThere { return }
        }
    }

    /// - Returns: the size of the reply, 0 for none or none yet.
    private func answer(
        _ packet: UnsafeRawBufferPointer, _ peer: DatagramBatch.Peer,
        into target: UnsafeMutableRawBufferPointer, _ now: NIODeadline, _ context: ChannelHandlerContext
    ) -> Int {
        let client = peer.client
        guard client.canBeAnswered, peer.port != 0 else { return 0 }
        let asking = Responder.Asking(client: client, endpoint: listening.own, isDatagram: true, now: now)
        let (outcome, size) = loop.responder.respond(packet, asking, into: target)
        switch outcome {
        case .silence: return 0
        case .replied: return size
        case .resolve, .hold:
            wait(for: outcome, packet, peer.address, asking, context.channel)
            return 0
        }
    }

    private func wait(
        for outcome: Responder.Outcome, _ packet: UnsafeRawBufferPointer, _ peer: SocketAddress,
        _ asking: Responder.Asking, _ channel: any Channel
    ) {
        let waiter = Exchange.Waiter(
            question: loop.responder.question(packet), asking: asking,
            holder: loop.responder.holder(of: asking.client)
        ) { reply in
            channel.writeAndFlush(AddressedEnvelope(remoteAddress: peer, data: reply), promise: nil)
        }
        loop.wait(waiter, for: outcome)
    }

    /// One failed read or write concerns one client, never the socket.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
