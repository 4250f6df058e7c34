import Dashboard
import Directory
import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// The site on a loopback socket; it adopts connections as it does from the front door.
final class LiveHouse: Sendable {
    let house: TestHouse
    private let server: any Channel
    private let feed = Mutex<Task<Void, Never>?>(nil)

    var port: Int { server.localAddress?.port ?? 0 }

    /// - Parameter isRunning: whether its feed runs from the beginning.
    init(_ house: TestHouse, isRunning: Bool = true) async throws {
        self.house = house
        let adopt = house.site.adopter()
        server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                adopt(channel, .plain, .silent).map { serving in _ = Task { await serving() } }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        if isRunning { run() }
    }

    func run() { feed.withLock { $0 = Task { [house] in await house.site.run() } } }

    /// Stops as a shutdown does: the feed ends first, and with it every stream.
    func stop() async throws {
        let feed = feed.withLock { $0 }
        feed?.cancel()
        await feed?.value
        try await server.close()
    }

    /// Opens a connection and sends what a browser would.
    func request(_ text: String) async throws -> Wire {
        let wire = Wire()
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(WireHandler(wire))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        wire.channel.withLock { $0 = channel }
        try await channel.writeAndFlush(ByteBuffer(string: text))
        return wire
    }

    func get(_ path: String, cookie: String? = nil) async throws -> Wire {
        let line = cookie.map { "Cookie: si=\($0)\r\n" } ?? ""
        return try await request("GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\(line)\r\n")
    }
}

/// The text that arrived on a connection.
final class Wire: Sendable {
    fileprivate struct State {
        var text = ""
        var isClosed = false
        var waiting:
            [UUID: (isMet: @Sendable (String, Bool) -> Bool, wake: CheckedContinuation<Void, Never>)] = [:]
    }

    fileprivate let state = Mutex(State())
    let channel = Mutex<(any Channel)?>(nil)

    var text: String { state.withLock { $0.text } }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Waits until the text contains a part so often; if it never does, the test's time limit ends it.
    func until(_ part: String, times: Int = 1) async {
        await wait { text, _ in text.components(separatedBy: part).count > times }
    }

    func untilClosed() async { await wait { _, isClosed in isClosed } }

    func close() async throws { try await channel.withLock { $0 }?.close() }

    /// Ends early when its task is cancelled.
    private func wait(_ isMet: @escaping @Sendable (String, Bool) -> Bool) async {
        let id = UUID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isMetNow = state.withLock { state in
                    if Task.isCancelled || isMet(state.text, state.isClosed) { return true }
                    state.waiting[id] = (isMet, continuation)
                    return false
                }
                if isMetNow { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.wake.resume()
        }
    }

    fileprivate func change(_ body: (inout State) -> Void) {
        let woken = state.withLock { state in
            body(&state)
            let met = state.waiting.filter { $0.value.isMet(state.text, state.isClosed) }
            for key in met.keys { state.waiting[key] = nil }
            return met.values.map(\.wake)
        }
        for wake in woken { wake.resume() }
    }
}

private final class WireHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    let wire: Wire

    init(_ wire: Wire) { self.wire = wire }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        wire.change { $0.text += text }
    }

    func channelInactive(context: ChannelHandlerContext) {
        wire.change { $0.isClosed = true }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
