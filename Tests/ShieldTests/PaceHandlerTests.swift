import NIOCore
import NIOEmbedded
import Testing

@testable import Shield

/// A connection's requests reach what answers them a few at a time.
@Suite struct PaceHandlerTests {
    private let channel = EmbeddedChannel(handler: PaceHandler())
    private let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    init() throws {
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.9", port: 1)).wait()
    }

    private func piece() throws -> String? {
        try channel.readInbound(as: ByteBuffer.self).map { String(buffer: $0) }
    }

    /// All pieces; the time passes in which the handler lets others go first.
    private func pieces() throws -> [String] {
        var pieces: [String] = []
        while true {
            while let piece = try piece() { pieces.append(piece) }
            let before = pieces.count
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
            while let piece = try piece() { pieces.append(piece) }
            if pieces.count == before { return pieces }
        }
    }

    @Test func anOrdinaryRequestIsOnePiece() throws {
        let form = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na=b"
        try channel.writeInbound(ByteBuffer(string: form))
        #expect(try piece() == form)
    }

    @Test func manyRequestsComeTwoByTwo() throws {
        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 5)))
        #expect(try piece() == request + request)
        #expect(try piece() == nil, "the rest waits for the others on the loop")
        #expect(try pieces() == [request + request, request])
    }

    @Test func linesThatEndInOneByteCountToo() throws {
        let short = "GET / HTTP/1.1\nHost: a\n\n"
        try channel.writeInbound(ByteBuffer(string: short + short + short))
        #expect(try pieces() == [short + short, short])
    }

    @Test func streamsComeTwoByTwoToo() throws {
        let channel = EmbeddedChannel(handler: PaceHandler(.frames))
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.9", port: 1)).wait()
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        // Empty lines and what looks like a head are only bytes in a frame.
        let body: [UInt8] = [0, 0, 12, 0, 0, 0, 0, 0, 1] + Array("\n\n\n\u{0}\u{0}\u{1}\u{1}\r\n\r\n\n".utf8)
        let head: [UInt8] = [0, 0, 3, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x86]
        let sent = preface + settings + head + body + head + head + body
        // A frame's header may come in two parts.
        for part in [sent[..<30], sent[30..<(sent.count - 7)], sent[(sent.count - 7)...]] {
            try channel.writeInbound(ByteBuffer(bytes: part))
            channel.read()
        }
        var pieces: [[UInt8]] = []
        for _ in 0..<9 {
            while let piece = try channel.readInbound(as: ByteBuffer.self) {
                pieces.append(Array(piece.readableBytesView))
            }
            channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        }
        #expect(pieces.flatMap { $0 } == sent)
        #expect(pieces.contains { $0.suffix(head.count).elementsEqual(head) })
        let heads = pieces.map { piece in
            piece.indices.count { piece[$0...].starts(with: head) }
        }
        #expect(heads.allSatisfy { $0 <= 2 } && heads.reduce(0, +) == 3, "\(heads)")
    }

    @Test func nothingIsLostWhenItIsRemoved() throws {
        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 5)))
        let pace = try channel.pipeline.syncOperations.context(handlerType: PaceHandler.self)
        channel.pipeline.syncOperations.removeHandler(context: pace, promise: nil)
        #expect(try pieces().joined() == String(repeating: request, count: 5))
    }

    @Test func theEndComesAfterTheLastPiece() throws {
        let ends = Ends()
        try channel.pipeline.syncOperations.addHandler(ends)
        try channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 5)))
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(ends.count == 0)
        _ = try pieces()
        #expect(ends.count == 1)
    }

    private final class Ends: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private(set) var count = 0
        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            if event as? ChannelEvent == .inputClosed { count += 1 }
        }
    }
}
