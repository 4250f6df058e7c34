package import Directory
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypesHTTP2
import Policy

extension HomeSite {
    /// Serves an adopted connection to its end.
    package typealias Serving = @Sendable () async -> Void

    /// The site as a responder, for the framework's own server and for tests.
    package func responder() -> some HTTPResponder<Visit> { served.value.router }

    /// Adopts an accepted connection with one of our Hosts. Call it on the connection's event loop, before the bytes
    /// that were already read are fired.
    package func adopter()
        -> @Sendable (
            _ channel: any Channel, _ kind: ConnectionKind, _ logger: Logger
        ) -> EventLoopFuture<Serving>
    {
        let plain = connection(isSecure: false)
        let secure = connection(isSecure: true)
        return { channel, kind, logger in
            let connection = kind == .plain ? plain : secure
            let setup =
                kind == .stream
                ? Self.setupStream(channel) : connection.setup(channel: channel, logger: logger)
            let lane = Lanes.pages.lane(of: holder(NetworkAddress.text(of: channel.remoteAddress)))
            return setup.map { value in
                {
                    await withTaskExecutorPreference(lane) {
                        await connection.handle(value: value, logger: logger)
                    }
                }
            }
        }
    }

    /// One request and its answer on a stream, with the same limits as on a connection.
    private static func setupStream(_ channel: any Channel) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandlers([
                HTTP2FramePayloadToHTTPServerCodec(), ConnectionGuard(),
            ])
            return try HTTP1Channel.Value(wrappingChannelSynchronously: channel)
        }
    }

    /// HTTP/1.1 with deadlines and limits for everything that a client can make long.
    package func connection(isSecure: Bool, logger: Logger = Logger(label: "http")) -> HTTP1Channel {
        let limits = HTTP1Channel.Configuration.DecoderConfiguration(
            maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)
        return HTTP1Channel(
            responder: { request, writer, channel in
                var visit = Visit(source: ApplicationRequestContextSource(channel: channel, logger: logger))
                visit.isSecure = isSecure
                visit.isEncrypted = isSecure
                var response = await withTaskExecutorPreference(lane(of: request, visit)) { [visit] in
                    await Self.answer(to: request, visit, by: responder())
                }
                response.headers[.date] = httpDate(clock.now())
                try await writer.write(response: response.head, body: response.body)
                // The next request of this connection goes to the end of the line.
                await Task.yield()
            },
            configuration: .init(
                additionalChannelHandlers: [ConnectionGuard()], idleTimeout: .seconds(30),
                httpDecoderConfiguration: limits))
    }

    /// Where a request is answered if not with those of its connection: a way out, or one that a reverse proxy brings.
    private func lane(of request: Request, _ visit: Visit) -> Lanes.Lane? {
        let client = proxies.client(of: request, from: visit)
        let isWayOut = Self.waysOut.contains(request.uri.path)
        guard isWayOut || client != nil else { return nil }
        return (isWayOut ? Lanes.waysOut : .pages).lane(of: holder(client?.text ?? visit.address))
    }

    private static func answer(
        to request: Request, _ visit: Visit, by responder: some HTTPResponder<Visit>
    ) async -> Response {
        do { return try await responder.respond(to: request, context: visit) } catch {
            visit.logger.error("A request failed", metadata: ["error": "\(error)"])
            return Response(status: .internalServerError)
        }
    }
}
