import NIOCore
import NIOHPACK
import NIOHTTP2

/// Reads the request head of an HTTP/2 stream and hands the stream over: to DNS over HTTPS by its path, else to the
/// dashboard. A foreign name is misdirected here (RFC 9110, 15.5.20): no stream gets the shield, because browsers open
/// a connection under the name for which they negotiated TLS.
final class StreamReception: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    /// What each decision leads to; both run on the channel's loop.
    struct Hosts {
        var isQuery: (String) -> Bool
        var queries: (any Channel) throws -> Void
        /// Fails if the connection was closed.
        var dashboard: (any Channel, _ target: String) -> EventLoopFuture<Void>
    }

    private let ownNames: OwnNames
    private let hosts: Hosts
    private var held: [HTTP2Frame.FramePayload] = []
    private var isDecided = false

    init(ownNames: OwnNames, hosts: Hosts) {
        self.ownNames = ownNames
        self.hosts = hosts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let payload = unwrapInboundIn(data)
        held.append(payload)
        guard !isDecided, case .headers(let head) = payload else { return }
        isDecided = true
        let channel = context.channel
        guard isOwn(head.headers) else { return refuse(context) }
        let target = head.headers.first(name: ":path") ?? ""
        if hosts.isQuery(target) {
            handOver(context, context.eventLoop.makeCompletedFuture { try hosts.queries(channel) })
        } else {
            handOver(context, hosts.dashboard(channel, target))
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {}

    /// One authority, and no Host that contradicts it: a later handler may use either.
    private func isOwn(_ headers: HPACKHeaders) -> Bool {
        let authorities = headers[":authority"]
        guard authorities.count == 1, headers["host"].allSatisfy({ $0 == authorities[0] }) else {
            return false
        }
        return ownNames.contains(HostValue(authorities[0].utf8))
    }

    private func refuse(_ context: ChannelHandlerContext) {
        held.removeAll()
        let headers: HPACKHeaders = [":status": "421", "content-length": "0"]
        let payload = HTTP2Frame.FramePayload.headers(.init(headers: headers, endStream: true))
        context.writeAndFlush(wrapOutboundOut(payload), promise: nil)
        context.close(promise: nil)
    }

    private func handOver(_ context: ChannelHandlerContext, _ hosting: EventLoopFuture<Void>) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        hosting.whenComplete { result in
            let (handler, context) = bound.value
            switch result {
            case .success: context.pipeline.syncOperations.removeHandler(handler, promise: nil)
            case .failure: context.close(promise: nil)
            }
        }
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        for payload in held { context.fireChannelRead(wrapInboundOut(payload)) }
        held.removeAll()
        context.fireChannelReadComplete()
        context.leavePipeline(removalToken: removalToken)
    }
}
