import NIOCore

/// What happens to a TLS connection once its ClientHello is known.
///
/// Minted leaves and relays by name become further cases here, decided in `receive`.
package enum TLSReception: Hashable, Sendable {
    case alert(TLSAlert)

    /// Nobody here can speak for the name that was asked for, so the client hears so at once (T-01).
    package static func receive(_ hello: ClientHello) -> TLSReception? {
        switch hello {
        case .unfinished: nil
        case .malformed: .alert(TLSAlert(.decodeError, version: 0x0303))
        case .hello(_, let version): .alert(TLSAlert(.unrecognizedName, version: version))
        }
    }
}

/// A fatal alert as one plain record (RFC 8446, 6).
package struct TLSAlert: Hashable, Sendable {
    package enum Description: UInt8, Sendable {
        case decodeError = 50
        case unrecognizedName = 112
    }

    package var description: Description
    /// Of the record; never above 0x0303, and never above the client's.
    package var version: UInt16

    package init(_ description: Description, version: UInt16) {
        self.description = description
        self.version = min(max(version, 0x0301), 0x0303)
    }

    package var bytes: [UInt8] {
        [21, UInt8(version >> 8), UInt8(version & 0xFF), 0, 2, 2, description.rawValue]
    }
}

/// Reads a ClientHello within its time and answers as `TLSReception` decides. Plain HTTP is closed.
final class TLSReceptionHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let headTime: TimeAmount
    private var received = ByteBuffer()
    private var isAnswered = false
    private var deadline: Scheduled<Void>?

    init(headTime: TimeAmount) {
        self.headTime = headTime
    }

    func handlerAdded(context: ChannelHandlerContext) {
        deadline = context.closeLater(in: headTime)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        var bytes = unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        guard received.getInteger(at: received.readerIndex, as: UInt8.self) == 22 else {
            return context.close(promise: nil)
        }
        guard let reception = TLSReception.receive(ClientHello(received.readableBytesView)) else { return }
        isAnswered = true
        received = ByteBuffer()
        switch reception {
        case .alert(let alert):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: alert.bytes)), promise: nil)
            deadline?.cancel()
            deadline = context.closeGently()
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
