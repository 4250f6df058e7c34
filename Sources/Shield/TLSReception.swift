import NIOCore

/// What happens to a TLS connection once its ClientHello is known.
///
/// Minted leaves and relays by name become further cases here, decided in `receive`.
package enum TLSReception: Hashable, Sendable {
    case alert(TLSAlert)
    /// TLS ends here.
    case own

    /// Own names are served, and whoever names nobody, because it came by an address. Nobody here can speak for any
    /// other name, so the client hears so at once (T-01).
    /// - Parameter ownNames: nil where there is no certificate for them.
    package static func receive(_ hello: ClientHello, ownNames: OwnNames? = nil) -> TLSReception? {
        switch hello {
        case .unfinished: return nil
        case .malformed: return .alert(TLSAlert(.decodeError, version: 0x0303))
        case .hello(let name, let version):
            if let ownNames, name.map({ ownNames.contains(HostValue($0)) }) ?? true { return .own }
            return .alert(TLSAlert(.unrecognizedName, version: version))
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
final class TLSReceptionHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// For whom TLS ends here, and what then follows this handler.
    struct Entrance {
        var ownNames: OwnNames
        var open: (any Channel) throws -> Void
    }

    private let headTime: TimeAmount
    private let entrance: Entrance?
    private var received = ByteBuffer()
    private var isAnswered = false
    private var deadline: Scheduled<Void>?

    init(headTime: TimeAmount, entrance: Entrance? = nil) {
        self.headTime = headTime
        self.entrance = entrance
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
        let hello = ClientHello(received.readableBytesView)
        guard let reception = TLSReception.receive(hello, ownNames: entrance?.ownNames) else { return }
        isAnswered = true
        if reception == .own { return enter(context) }
        received = ByteBuffer()
        switch reception {
        case .alert(let alert):
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: alert.bytes)), promise: nil)
            deadline?.cancel()
            deadline = context.closeGently()
        case .own: break
        }
    }

    private func enter(_ context: ChannelHandlerContext) {
        deadline?.cancel()
        do {
            try entrance?.open(context.channel)
            context.pipeline.syncOperations.removeHandler(self, promise: nil)
        } catch {
            context.close(promise: nil)
        }
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        context.fireChannelRead(wrapInboundOut(received))
        context.fireChannelReadComplete()
        received = ByteBuffer()
        context.leavePipeline(removalToken: removalToken)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed {
            context.close(promise: nil)
        } else {
            context.fireUserInboundEventTriggered(event)
        }
    }
}
