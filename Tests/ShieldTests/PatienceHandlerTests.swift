import NIOCore
import NIOEmbedded
import Testing

@testable import Shield

@Suite struct PatienceHandlerTests {
    private let channel = EmbeddedChannel()
    private var loop: EmbeddedEventLoop { channel.embeddedEventLoop }

    private func open() throws {
        var limits = DoorLimits()
        limits.idleTime = .seconds(75)
        limits.requestTime = .seconds(30)
        limits.stallTime = .seconds(20)
        let visit = AcceptedConnection(channel: channel, now: loop.now)
        try channel.pipeline.syncOperations.addHandler(PatienceHandler(visit: visit, limits: limits))
        try channel.connect(to: SocketAddress(ipAddress: "192.168.1.20", port: 5000)).wait()
    }

    /// Writes and lets the client take all of it.
    private func answer(_ text: String) throws {
        try channel.writeOutbound(ByteBuffer(string: text))
        _ = try written(channel)
    }

    @Test func silenceEnds() throws {
        try open()
        loop.advanceTime(by: .milliseconds(74_999))
        #expect(channel.isActive)
        loop.advanceTime(by: .milliseconds(1))
        #expect(!channel.isActive)
    }

    @Test func aStreamThatSpeaksStays() throws {
        try open()
        try channel.receive("GET /events")
        for _ in 0..<100 {
            try answer(": \n\n")
            loop.advanceTime(by: .seconds(15))
        }
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(60))
        #expect(!channel.isActive)
    }

    @Test func aRequestThatTricklesEnds() throws {
        try open()
        try channel.receive("GET /")
        try answer("first")
        for second in 0..<30 {
            #expect(channel.isActive, "after \(second) s")
            try channel.receive("a")
            loop.advanceTime(by: .seconds(1))
        }
        #expect(!channel.isActive)
    }

    @Test func answeredRequestsStay() throws {
        try open()
        for _ in 0..<100 {
            try channel.receive("GET /")
            loop.advanceTime(by: .seconds(29))
            try answer("an answer")
            loop.advanceTime(by: .seconds(29))
        }
        #expect(channel.isActive)
    }

    @Test func whoTakesNothingEnds() throws {
        try open()
        for _ in 0..<19 {
            channel.write(ByteBuffer(string: "waits in the channel"), promise: nil)
            loop.advanceTime(by: .seconds(1))
        }
        #expect(channel.isActive)
        loop.advanceTime(by: .seconds(21))
        #expect(!channel.isActive)
    }

    @Test func whoTakesSlowlyStays() throws {
        try open()
        for _ in 0..<10 {
            channel.write(ByteBuffer(string: "slowly"), promise: nil)
            loop.advanceTime(by: .seconds(15))
            channel.flush()
            _ = try written(channel)
        }
        #expect(channel.isActive)
    }
}
