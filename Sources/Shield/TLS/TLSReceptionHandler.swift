import Directory
import NIOCore

/// Reads a ClientHello within its deadline and does what `TLSReception` decides. Plain HTTP is closed.
///
/// The receiver gets every byte from the first one.
final class TLSReceptionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// What each decision leads to; all run on the channel's loop.
    struct Hosts {
        /// Nil if there is no certificate for own names.
        var ownNames: OwnNames?
        var foreign: (_ name: String) -> TLSReception.Foreign
        /// Adds the handlers that end TLS and serve own names.
        var own: (any Channel) throws -> Void
        /// Adds the handlers that end TLS with a leaf for the name and show the shield.
        var shield: (any Channel, _ name: String) throws -> Void
        /// Connects with the name's own host; when it is done, bytes fired into the pipeline go there.
        var relay: (any Channel, _ name: String, _ first: ByteBuffer) -> EventLoopFuture<Void>

        /// Every name is refused.
        static var nobody: Hosts {
            Hosts(
                ownNames: nil, foreign: { _ in .refused }, own: { _ in }, shield: { _, _ in },
                relay: { channel, _, _ in
                    channel.eventLoop.makeFailedFuture(ChannelError.operationUnsupported)
                })
        }
    }

    private enum State { case peeking, handingOver, refusing }

    private let headTime: TimeAmount
    private let hosts: Hosts
    private var state = State.peeking
    private var received = ByteBuffer()
    private var isHalfClosed = false
    private var wanted = 1
    private var deadline: Scheduled<Void>?

    init(headTime: TimeAmount, hosts: Hosts = .nobody) {
        self.headTime = headTime
        self.hosts = hosts
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.closeLater(in: headTime)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard state != .refusing else { return }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard state == .peeking else { return }
        guard received.getInteger(at: received.readerIndex, as: UInt8.self) == 22 else {
            return context.close(promise: nil)
        }
        // Parsed again only when a record is complete: many small pieces would cost much otherwise.
        guard received.readableBytes >= wanted else { return }
        wanted = Self.endOfNextRecord(received.readableBytesView)
        let hello = ClientHello(received.readableBytesView)
        guard
            let reception = TLSReception.receive(hello, ownNames: hosts.ownNames, foreign: hosts.foreign)
        else { return }
        receive(context, reception)
    }

    /// The number of bytes up to the end of the first incomplete record, or of its header.
    private static func endOfNextRecord(_ bytes: ByteBufferView) -> Int {
        var end = 0
        while bytes.count >= end + 5 {
            let length = bytes.startIndex + end + 3
            let next = end + 5 + Int(bytes[length]) << 8 + Int(bytes[length + 1])
            if next > bytes.count { return next }
            end = next
        }
        return end + 5
    }

    private func receive(_ context: ChannelHandlerContext, _ reception: TLSReception) {
        let channel = context.channel
        switch reception {
        case .alert(let alert): refuse(context, alert)
        case .own: handOver(context, context.eventLoop.makeCompletedFuture { try hosts.own(channel) })
        case .shield(let name):
            handOver(context, context.eventLoop.makeCompletedFuture { try hosts.shield(channel, name) })
        case .relay(let name): handOver(context, hosts.relay(channel, name, received))
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ alert: TLSAlert) {
        state = .refusing
        received = ByteBuffer()
        deadline?.cancel()
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: alert.bytes)), promise: nil)
        deadline = context.closeGently()
    }

    /// If nothing takes the connection, the client gets an alert at once.
    private func handOver(_ context: ChannelHandlerContext, _ hosting: EventLoopFuture<Void>) {
        state = .handingOver
        deadline?.cancel()
        context.handOver(from: self, to: hosting) {
            self.refuse($0, TLSAlert(.internalError, version: 0x0303))
        }
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        context.fireChannelRead(wrapInboundOut(received))
        context.fireChannelReadComplete()
        received = ByteBuffer()
        if isHalfClosed { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.leavePipeline(removalToken: removalToken)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed, state == .handingOver {
            isHalfClosed = true
        } else if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
