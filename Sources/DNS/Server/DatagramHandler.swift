import Directory
import LinuxCalls
import NIOCore

/// The UDP socket of one endpoint on one event loop. NIO says when something waits there, by reading the first datagram
/// of it; the rest is read, answered and sent in batches. While many arrive, the socket is looked at from time to time
/// instead, as network cards do: a wake-up costs more than an answer.
final class DatagramHandler: ChannelDuplexHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundIn = AddressedEnvelope<ByteBuffer>

    /// How many batches are answered before other sockets of the loop have their turn.
    private static let mostBatches = 8
    /// How many datagrams at a time are many. The looks end when one finds nothing, and when more may wait than are
    /// answered at a time: NIO then lets the loop's other sockets have their turn.
    private static let many = 4..<mostBatches * DatagramBatch.capacity
    /// Until the next look. No reply is delayed longer.
    private static let pause = TimeAmount.microseconds(500)

    private let loop: ResolverLoop
    private let addresses: EndpointAddresses
    private var socket: NIOBSDSocket.Handle?
    private var isLooking = false

    init(_ loop: ResolverLoop, _ addresses: EndpointAddresses) {
        self.loop = loop
        self.addresses = addresses
    }

    func channelActive(context: ChannelHandlerContext) {
        socket = try? context.pipeline.syncOperations.withUnsafeTransportIfAvailable { $0 }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        envelope.data.withUnsafeReadableBytes { loop.datagrams.add($0, from: envelope.remoteAddress) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if Self.many.contains(answerAll(context)) { lookLater(context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket = nil
        context.fireChannelInactive()
    }

    /// NIO wants to be told of the next datagram.
    func read(context: ChannelHandlerContext) {
        if !isLooking { context.read() }
    }

    private func lookLater(_ context: ChannelHandlerContext) {
        isLooking = true
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            let context = bound.value
            isLooking = false
            // A paused socket is another's to read.
            guard socket != nil, (try? context.channel.syncOptions?.getOption(.autoRead)) ?? false else {
                return
            }
            let count = answerAll(context)
            if (1..<Self.many.upperBound).contains(count) { lookLater(context) } else { context.read() }
        }
    }

    /// - Returns: how many datagrams were there.
    private func answerAll(_ context: ChannelHandlerContext) -> Int {
        guard let socket else { return 0 }
        // The clock is read once for everything that arrived together.
        let now = NIODeadline.now()
        var count = 0
        for _ in 0..<Self.mostBatches {
            let isMoreThere = loop.datagrams.read(from: socket)
            count += loop.datagrams.answerEach { answer($0, $1, into: $2, now, context) }
            loop.datagrams.send(to: socket)
            if !isMoreThere { break }
        }
        loop.handOver()
        return count
    }

    /// - Returns: the size of the reply, 0 for none or none yet.
    private func answer(
        _ packet: UnsafeRawBufferPointer, _ peer: DatagramBatch.Peer,
        into target: UnsafeMutableRawBufferPointer, _ now: NIODeadline, _ context: ChannelHandlerContext
    ) -> Int {
        let client = peer.client
        guard client.canBeAnswered, peer.port != 0 else { return 0 }
        let asking = Responder.Asking(client: client, endpoint: addresses.own, isDatagram: true, now: now)
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
