import Directory
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Reads the request head of an HTTP/2 stream that is no DNS query, and hands the stream over to the dashboard. A
/// foreign name is misdirected here (RFC 9110, 15.5.20): no stream gets the shield, because browsers open a connection
/// under the name for which they negotiated TLS.
final class StreamReception: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// Adds the dashboard's handlers, on the channel's loop; fails if the connection was closed.
    typealias Dashboard = (any Channel, _ target: String) -> EventLoopFuture<Void>

    private let ownNames: OwnNames
    private let dashboard: Dashboard
    private var held: [HTTP2Frame.FramePayload] = []
    private var isDecided = false

    init(ownNames: OwnNames, dashboard: @escaping Dashboard) {
        self.ownNames = ownNames
        self.dashboard = dashboard
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let payload = unwrapInboundIn(data)
        held.append(payload)
        guard !isDecided, case .headers(let head) = payload else { return }
        isDecided = true
        guard let authority = head.headers.authority, ownNames.admits(HostValue(authority.utf8)) else {
            return refuse(context)
        }
        context.handOver(from: self, to: dashboard(context.channel, head.headers.first(name: ":path") ?? ""))
    }

    func channelReadComplete(context: ChannelHandlerContext) {}

    private func refuse(_ context: ChannelHandlerContext) {
        held.removeAll()
        let headers: HPACKHeaders = [":status": "421", "content-length": "0"]
        let payload = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: true))
        context.writeAndFlush(wrapOutboundOut(payload), promise: nil)
        context.close(promise: nil)
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for payload in held { context.fireChannelRead(wrapInboundOut(payload)) }
        held.removeAll()
        context.fireChannelReadComplete()
        context.leavePipeline(removalToken: removalToken)
    }
}

extension HPACKHeaders {
    /// The authority of a request; nil if there are several, or a Host that contradicts it: a later handler may use either.
    var authority: String? {
        var found: String?
        for (name, value, _) in self {
            switch name {
            case ":authority":
                if found != nil { return nil }
                found = value
            case "host":
                if value != found { return nil }
            default: break
            }
        }
        return found
    }
}
