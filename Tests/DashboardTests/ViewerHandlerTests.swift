import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
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

    private func open(_ viewer: ViewerHandler) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: viewer)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test func slowReadersGetTheNewestAndNoQueue() throws {
        let viewer = ViewerHandler {}
        let channel = try open(viewer)
        viewer.state(frame(1, "state"))
        #expect(try sent(on: channel) == ["16\r\nevent: state\ndata: 1\n\n\r\n"])
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        viewer.tick(frame(10, "tick"))
        viewer.state(frame(2, "state"))
        viewer.state(frame(3, "state"))
        viewer.tick(frame(11, "tick"))
        viewer.tick(frame(12, "tick"))
        viewer.comment()
        #expect(try sent(on: channel).isEmpty)
        channel.isWritable = true
        channel.pipeline.fireChannelWritabilityChanged()
        #expect(
            try sent(on: channel) == [
                "16\r\nevent: state\ndata: 3\n\n\r\n", "16\r\nevent: tick\ndata: 12\n\n\r\n",
            ])
        _ = try channel.finish()
    }

    @Test func whoeverReadsNothingForAMinuteIsLetGo() throws {
        var hasLeft = false
        let viewer = ViewerHandler { hasLeft = true }
        let channel = try open(viewer)
        channel.isWritable = false
        channel.pipeline.fireChannelWritabilityChanged()
        channel.embeddedEventLoop.advanceTime(by: .seconds(59))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(1))
        #expect(!channel.isActive)
        #expect(hasLeft)
    }

    @Test func aClosedSideIsTheEnd() throws {
        var left = 0
        let viewer = ViewerHandler { left += 1 }
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
