import NIOCore
import NIOEmbedded
import Testing

@testable import Shield

@Suite struct ReceptionHandlerTests {
    /// Receives what is handed over, as the dashboard's handlers would.
    private final class Taker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        var taken = ByteBuffer()
        var isHalfClosed = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            taken.writeBuffer(&bytes)
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { isHalfClosed = true }
        }
    }

    private struct NoRoom: Error {}

    private let channel = EmbeddedChannel()
    private let dashboard = Taker()
    private let shield = Taker()
    private var loop: EmbeddedEventLoop { channel.embeddedEventLoop }
    private static let ownHead = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// `handing` fails or delays the hand-over to the dashboard.
    private func open(handing: EventLoopFuture<Void>? = nil) throws {
        let dashboard = NIOLoopBound(dashboard, eventLoop: loop)
        let hosts = ReceptionHandler.Hosts(
            dashboard: { channel, _ in
                (handing ?? channel.eventLoop.makeSucceededVoidFuture()).flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(dashboard.value)
                }
            },
            shield: { try $0.pipeline.syncOperations.addHandler(shield) })
        var limits = DoorLimits()
        limits.headBytes = 512
        try channel.pipeline.syncOperations.addHandler(
            ReceptionHandler(ownNames: ownNames, limits: limits, hosts: hosts))
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.20", port: 5000)).wait()
    }

    @Test func everyByteArrivesOnceHoweverCutUp() throws {
        try open()
        let all = Self.ownHead + "GET /second HTTP/1.1\r\nHost: evil.example\r\n\r\n"
        for byte in all.utf8 { try channel.writeInbound(ByteBuffer(bytes: [byte])) }
        #expect(String(buffer: dashboard.taken) == all)
        #expect(shield.taken.readableBytes == 0)
    }

    @Test func foreignStaysForeign() throws {
        try open()
        let all = "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n" + Self.ownHead
        try channel.receive(all)
        try channel.receive(Self.ownHead)
        #expect(String(buffer: shield.taken) == all + Self.ownHead)
        #expect(dashboard.taken.readableBytes == 0)
    }

    @Test func bytesWaitForASlowHandOver() throws {
        let handing = loop.makePromise(of: Void.self)
        try open(handing: handing.futureResult)
        try channel.receive(Self.ownHead)
        try channel.receive("more")
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(dashboard.taken.readableBytes == 0)
        handing.succeed()
        #expect(String(buffer: dashboard.taken) == Self.ownHead + "more")
        #expect(dashboard.isHalfClosed)
        try channel.receive("!")
        #expect(String(buffer: dashboard.taken) == Self.ownHead + "more!")
    }

    @Test func noRoomClosesAtOnce() throws {
        try open(handing: loop.makeFailedFuture(NoRoom()))
        try channel.receive(Self.ownHead)
        #expect(!channel.isActive)
    }

    @Test func silenceEndsAfterTenSeconds() throws {
        try open()
        loop.advanceTime(by: .milliseconds(9_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func tricklingEndsAfterTenSecondsToo() throws {
        try open()
        for byte in "GET / HTTP".utf8 {
            #expect(channel.isActive)
            try channel.writeInbound(ByteBuffer(bytes: [byte]))
            loop.advanceTime(by: .seconds(1))
        }
        #expect(!channel.isActive)
    }

    @Test func deadlineEndsWithTheDecision() throws {
        try open()
        try channel.receive(Self.ownHead)
        loop.advanceTime(by: .seconds(3600))
        #expect(channel.isActive)
    }

    @Test(arguments: [
        ("garbage\u{0}", "HTTP/1.1 400 "), ("GET / HTTP/1.1\nHost: localhost\n\n", "HTTP/1.1 400 "),
        ("GET / HTTP/1.1\r\nA: " + String(repeating: "b", count: 600), "HTTP/1.1 431 "),
        ("\u{16}\u{3}\u{1}\u{2}\u{0}", ""),
    ])
    func refusals(bytes: String, answer: String) throws {
        try open()
        try channel.receive(bytes)
        let text = try written(channel)
        #expect(answer.isEmpty ? text.isEmpty : text.hasPrefix(answer))
        #expect(!channel.isActive)
        #expect(dashboard.taken.readableBytes + shield.taken.readableBytes == 0)
    }

    @Test func halfClosedBeforeItsHeadEnds() throws {
        try open()
        try channel.receive("GET / HT")
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!channel.isActive)
    }
}
