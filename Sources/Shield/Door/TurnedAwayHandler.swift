import NIOCore

/// Tells a client outside the home why it is not served, whatever it asks, and closes.
final class TurnedAwayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// How many clients are told at a time; others are closed at once.
    static let most = 16

    private var deadline: Scheduled<Void>?
    private var isTold = false

    func channelActive(context: ChannelHandlerContext) {
        deadline = context.closeLater(in: .seconds(2))
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isTold else { return }
        isTold = true
        deadline?.cancel()
        let place = context.remoteAddress?.ipAddress ?? "elsewhere"
        let text =
            "This page is only for devices on this home's network. You ask from \(place). Use one at home, without a VPN.\n"
        let head =
            "HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-type: text/plain; charset=utf-8\r\n"
            + "cache-control: no-store\r\ncontent-length: \(text.utf8.count)\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: head + text)), promise: nil)
        deadline = context.closeGently()
    }
}
