import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP2

extension ViewerHandler {
    /// The way of a frame to the network.
    enum Route {
        /// Into the socket itself, because the way through a channel takes longer than the kernel.
        case socket(NIOBSDSocket.Handle)
        /// Through the connection's other handlers, for example TLS.
        case channel
        /// Through an HTTP/2 connection, as frames instead of chunks.
        case stream
    }

    /// Goes where nothing of HTTP is between this and the network.
    func join(_ pipeline: ChannelPipeline.SynchronousOperations) throws {
        switch route {
        case .socket: try pipeline.addHandler(self)
        case .channel:
            let encoder = try pipeline.handler(type: HTTPResponseEncoder.self)
            try pipeline.addHandler(self, position: .before(encoder))
        case .stream:
            let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTPServerCodec.self)
            try pipeline.addHandler(self, position: .before(codec))
        }
    }
}

extension Channel {
    var routeThroughHandlers: ViewerHandler.Route {
        let codec = try? pipeline.syncOperations.context(handlerType: HTTP2FramePayloadToHTTPServerCodec.self)
        return codec == nil ? .channel : .stream
    }

    /// Closes this channel but not its connection, which goes on under the descriptor that is returned: what it takes to
    /// speak HTTP is more than ten times what an open stream needs. Nil, and nothing happens, if there is no socket or
    /// the client has not taken all that was written.
    func takeSocket() -> NIOBSDSocket.Handle? {
        guard (try? syncOptions?.getOption(.bufferedWritableBytes)) == 0,
            let socket = try? pipeline.syncOperations.withUnsafeTransportIfAvailable(
                of: NIOBSDSocket.Handle.self, { fcntl($0, F_DUPFD_CLOEXEC, 0) }), socket >= 0
        else { return nil }
        close(promise: nil)
        return socket
    }
}
