import Directory
import Glibc
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Policy
import Testing

@testable import Dashboard

/// A viewer that does not read: it gets the newest frame when it reads again, and is disconnected if it never does.
@Suite struct ViewerHandlerTests {
    private func frame(_ number: Int, _ event: String) -> EventFrame {
        EventFrame(event: event, data: Array("\(number)".utf8))
    }

    private func sent(on channel: EmbeddedChannel) throws -> [String] {
        var sent: [String] = []
        while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
            sent.append(String(buffer: buffer))
        }
        return sent
    }

    private func open(_ viewer: ViewerHandler, before network: Network = Network()) throws -> EmbeddedChannel
    {
        let channel = EmbeddedChannel(handlers: [network, viewer])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    /// Takes a write only while the reader reads.
    private final class Network: ChannelDuplexHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private var isStopped = false
        private var waiting:
            [(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?)] = []

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if isStopped {
                waiting.append((context, data, promise))
            } else {
                context.write(data, promise: promise)
            }
        }

        func stop() { isStopped = true }

        func goOn() {
            isStopped = false
            for write in waiting { write.context.writeAndFlush(write.data, promise: write.promise) }
            waiting = []
        }

        func channelInactive(context: ChannelHandlerContext) {
            for write in waiting { write.promise?.fail(ChannelError.ioOnClosedChannel) }
            waiting = []
            context.fireChannelInactive()
        }
    }

    @Test func slowReadersGetTheNewestAndNoQueue() throws {
        let (viewer, network) = (ViewerHandler(.channel) {}, Network())
        let channel = try open(viewer, before: network)
        viewer.state(frame(1, "state"))
        #expect(try sent(on: channel) == ["16\r\nevent: state\ndata: 1\n\n\r\n"])
        network.stop()
        viewer.tick(frame(9, "tick"))
        viewer.tick(frame(10, "tick"))
        viewer.state(frame(2, "state"))
        viewer.state(frame(3, "state"))
        viewer.tick(frame(11, "tick"))
        viewer.tick(frame(12, "tick"))
        viewer.comment()
        #expect(try sent(on: channel).isEmpty)
        network.goOn()
        #expect(
            try sent(on: channel) == [
                "15\r\nevent: tick\ndata: 9\n\n\r\n", "16\r\nevent: state\ndata: 3\n\n\r\n",
                "16\r\nevent: tick\ndata: 12\n\n\r\n",
            ])
        _ = try channel.finish()
    }

    @Test func whatAViewerSaysEndsItsStream() throws {
        var hasLeft = false
        let channel = try open(ViewerHandler(.socket(-1)) { hasLeft = true })
        try channel.writeInbound(ByteBuffer(string: "GET /events HTTP/1.1\r\n"))
        #expect(!channel.isActive && hasLeft)
    }

    @Test func afterTheEndNobodyEnters() {
        let viewers = Viewers()
        let audience = Audience(person: PersonID(rawValue: 1), isSignedIn: false)
        #expect(viewers.enter(audience, from: Holder(nil)) != nil)
        viewers.end()
        #expect(viewers.enter(audience, from: Holder(nil)) == nil)
    }

    @Test func whoeverReadsNothingForAMinuteIsLetGo() throws {
        var hasLeft = false
        let (viewer, network) = (ViewerHandler(.channel) { hasLeft = true }, Network())
        let channel = try open(viewer, before: network)
        network.stop()
        viewer.tick(frame(1, "tick"))
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(hasLeft)
    }

    @Test(
        "A full socket gets the rest of a frame and the newest one when there is room again, and not one byte twice"
    )
    func aFullSocket() throws {
        var ends: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let viewer = ViewerHandler(.socket(ends[0])) {}
        let channel = try open(viewer)
        let large = EventFrame(event: "state", data: [UInt8](repeating: 0x61, count: 1_000_000))
        viewer.state(large)
        var read = [UInt8](repeating: 0, count: 2_000_000)
        let count = recv(ends[1], &read, read.count, Int32(MSG_DONTWAIT))
        #expect((1..<large.buffer.readableBytes).contains(count))
        let rest = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(read[..<count] + Array(rest.readableBytesView) == Array(large.buffer.readableBytesView)[...])
        viewer.tick(frame(1, "tick"))
        let next = recv(ends[1], &read, read.count, Int32(MSG_DONTWAIT))
        #expect(
            String(decoding: read[..<max(0, next)], as: UTF8.self) == "15\r\nevent: tick\ndata: 1\n\n\r\n")
        _ = try channel.finish()
    }

    @Test func aClosedSideIsTheEnd() throws {
        var left = 0
        let viewer = ViewerHandler(.channel) { left += 1 }
        let channel = try open(viewer)
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
        #expect(left == 1)
        viewer.state(frame(1, "state"))
        #expect(try sent(on: channel).isEmpty)
    }
}

/// What the framework does not limit: bodies that trickle or never end, and answers that nobody reads.
@Suite struct ConnectionGuardTests {
    private func open() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: ConnectionGuard())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(
            HTTPRequestPart.head(.init(method: .post, scheme: "http", authority: "localhost", path: "/login"))
        )
        return channel
    }

    @Test(
        "Who reads a body that trickles is told after 20 s and can answer; 5 s later the connection is closed"
    )
    func aBodyThatTricklesIsCutOff() throws {
        let channel = try open()
        for _ in 0..<19 {
            try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        }
        try channel.throwIfErrorCaught()
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(throws: ConnectionGuard.BodyStalled.self) { try channel.throwIfErrorCaught() }
        channel.embeddedEventLoop.advanceTime(by: .seconds(4))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
    }

    @Test func aBodyThatArrivesIsLeftAlone() throws {
        let channel = try open()
        try channel.writeInbound(HTTPRequestPart.end(nil))
        channel.embeddedEventLoop.advanceTime(by: .seconds(100))
        #expect(channel.isActive)
        _ = try channel.finish()
    }

    @Test func aBodyWithoutEndIsCutOff() throws {
        let channel = try open()
        let piece = ByteBuffer(repeating: 0x61, count: 1024 * 1024)
        for _ in 0..<16 { try channel.writeInbound(HTTPRequestPart.body(piece)) }
        #expect(channel.isActive)
        try channel.writeInbound(HTTPRequestPart.body(piece))
        #expect(!channel.isActive)
    }

    @Test func anAnswerThatNobodyReadsIsCutOff() throws {
        let channel = try open()
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(60))
        #expect(!channel.isActive)
    }
}
