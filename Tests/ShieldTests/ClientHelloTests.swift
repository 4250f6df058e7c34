import NIOCore
import NIOEmbedded
import Testing

@testable import Shield

@Suite struct ClientHelloTests {
    private static func counted(_ bytes: [UInt8], _ width: Int = 2) -> [UInt8] {
        (0..<width).reversed().map { UInt8(bytes.count >> ($0 * 8) & 0xFF) } + bytes
    }

    private static func sni(_ name: String) -> [UInt8] {
        [0, 0] + counted(counted([0] + counted(Array(name.utf8))))
    }

    /// A ClientHello message without its record.
    private static func message(extensions: [UInt8]?, version: UInt16 = 0x0303) -> [UInt8] {
        var body = [UInt8(version >> 8), UInt8(version & 0xFF)] + [UInt8](repeating: 7, count: 32)
        body +=
            counted([UInt8](repeating: 9, count: 32), 1) + counted([0x13, 0x01, 0x13, 0x02]) + counted([0], 1)
        if let extensions { body += counted(extensions) }
        return [1] + counted(body, 3)
    }

    private static func record(_ bytes: some Collection<UInt8>) -> [UInt8] {
        [22, 3, 1] + counted(Array(bytes))
    }

    private static let grease: [UInt8] = [0x0A, 0x0A, 0, 1, 0]
    private static let hello = message(extensions: grease + sni("TikTok.com"))

    @Test func findsTheName() {
        #expect(ClientHello(Self.record(Self.hello)) == .hello(name: "tiktok.com", version: 0x0303))
    }

    @Test func withoutExtensionsOrName() {
        #expect(
            ClientHello(Self.record(Self.message(extensions: nil, version: 0x0301)))
                == .hello(name: nil, version: 0x0301))
        #expect(
            ClientHello(Self.record(Self.message(extensions: Self.grease)))
                == .hello(name: nil, version: 0x0303))
    }

    @Test func everyBeginningIsUnfinished() {
        let bytes = Self.record(Self.hello)
        for length in 0..<bytes.count { #expect(ClientHello(bytes[..<length]) == .unfinished) }
    }

    @Test func everySplitIntoTwoRecordsIsTheSame() {
        for cut in 1..<Self.hello.count {
            let bytes = Self.record(Self.hello[..<cut]) + Self.record(Self.hello[cut...])
            #expect(ClientHello(bytes) == .hello(name: "tiktok.com", version: 0x0303))
        }
    }

    @Test(arguments: [
        Array("GET / HTTP/1.1\r\n".utf8), [22, 2, 0, 0, 5], [22, 3, 1, 0, 0], [22, 3, 1, 0xFF, 0xFF, 1],
        record([2, 0, 0, 1, 0]), record([1, 0xFF, 0xFF, 0xFF]), record([1, 0, 0, 2, 3, 3]),
        record(message(extensions: [0, 0, 0, 200, 1])), record(message(extensions: sni("no name"))),
        record(message(extensions: sni(""))), record(message(extensions: sni("127.0.0.1"))),
    ])
    func contradictions(bytes: [UInt8]) {
        #expect(ClientHello(bytes) == .malformed)
    }

    /// A flipped byte anywhere must not make the reader trap.
    @Test func everyFlipIsHarmless() {
        let bytes = Self.record(Self.hello)
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 127, 255] {
                var flipped = bytes
                flipped[index] = value
                if case .hello(let name?, _) = ClientHello(flipped) { #expect(!name.isEmpty) }
            }
        }
    }

    @Test(arguments: [(0x0300, 1), (0x0301, 1), (0x0303, 3), (0x0304, 3)] as [(UInt16, UInt8)])
    func alertSpeaksTheClientsVersion(version: UInt16, minor: UInt8) {
        #expect(TLSAlert(.unrecognizedName, version: version).bytes == [21, 3, minor, 0, 2, 2, 112])
    }

    private static func open() throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: TLSReceptionHandler(headTime: .seconds(10)))
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.20", port: 5000)).wait()
        return channel
    }

    @Test func handlerAnswersOnceByteByByte() throws {
        let channel = try Self.open()
        for byte in Self.record(Self.hello).dropLast() {
            try channel.writeInbound(ByteBuffer(bytes: [byte]))
            #expect(channel.isActive)
        }
        try channel.writeInbound(ByteBuffer(bytes: [Self.hello.last!]))
        let alert = try #require(try channel.readOutbound(as: ByteBuffer.self))
        #expect(Array(alert.readableBytesView) == [21, 3, 3, 0, 2, 2, 112])
        #expect(try channel.readOutbound(as: ByteBuffer.self) == nil)
        #expect(!channel.isActive)
    }

    @Test func handlerWaitsTenSecondsForAHello() throws {
        let channel = try Self.open()
        try channel.writeInbound(ByteBuffer(bytes: [22, 3, 1]))
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(9_999))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func handlerClosesOnPlainHTTP() throws {
        let channel = try Self.open()
        try channel.receive("GET / HTTP/1.1\r\n")
        #expect(!channel.isActive)
        #expect(try written(channel).isEmpty)
    }
}
