import Directory
import Foundation
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Policy
import Synchronization
import Testing

@testable import Shield

@Suite struct ShieldStreamsTests {
    private let house = TestHouse()
    private let loop = EmbeddedEventLoop()
    private let desk: ShieldDesk

    init() {
        var limits = DoorLimits()
        limits.streams = 3
        limits.streamsPerHolder = 2
        desk = ShieldDesk(
            loop: loop, facts: house.facts, limits: limits,
            places: .init(all: limits.streams, each: limits.streamsPerHolder))
    }

    /// A viewer of one name; returns the channel after its first event was written.
    private func view(_ name: String, from address: String = "192.168.1.20") throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: loop)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: .init())
        try pipeline.addHandler(
            ShieldHandler(
                desk: desk, address: address, holder: Holder(IPAddress(address)), origin: "http://192.168.1.2"
            ))
        try channel.connect(to: SocketAddress(ipAddress: address, port: 5000)).wait()
        try channel.receive("GET /.sleep-inducer/events HTTP/1.1\r\nHost: \(name)\r\n\r\n")
        return channel
    }

    /// Lets wall time and loop time pass together.
    private func pass(_ milliseconds: Int) {
        house.pass(Double(milliseconds) / 1000)
        loop.advanceTime(by: .milliseconds(Int64(milliseconds)))
    }

    @Test("A limit's page is told of an answer and of the last unlock")
    func limitsWords() throws {
        house.state.withLock { $0.limit = usedUp }
        let channel = try view("tiktok.com")
        let first = try written(channel)
        #expect(first.contains("\"request\":null") && first.contains("\"unlock\":true"))
        house.state.withLock { state in
            state.limit?.unlock = .usedUp(3)
            state.limit?.request = TimeRequest(
                id: UUID(), target: .app("tiktok"), device: nil, askedAt: state.now, answer: .declined)
        }
        desk.streams.changed(revision: 2)
        let second = try written(channel)
        #expect(second.contains("\"request\":\"declined\"") && second.contains("\"unlock\":false"))
    }

    @Test func firstEventIsTheWholeState() throws {
        let text = try written(try view("a.example"))
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(text.contains("content-type: text/event-stream\r\n"))
        #expect(text.contains("cache-control: no-store\r\n"))
        #expect(
            text.contains(
                """
                id: 0
                event: state
                data: {"app":null,"awakeUntil":null,"blocked":true,"layer":"sleep",\
                "name":"a.example","now":"2026-05-28T20:26:40Z","remaining":3600,"request":null,\
                "since":"2026-05-28T20:26:40Z","total":3600,"unlock":null,\
                "until":"2026-05-28T21:26:40Z"}\n\n
                """))
    }

    @Test func ticksJustAfterEachSecond() throws {
        house.pass(0.25)
        let viewer = try view("a.example")
        _ = try written(viewer)
        pass(751)
        #expect(try written(viewer).isEmpty)
        pass(2)
        #expect(
            try written(viewer).contains(
                "event: tick\ndata: {\"now\":\"2026-05-28T20:26:41.003Z\",\"remaining\":3599}"))
        pass(1000)
        #expect(try written(viewer).contains("\"remaining\":3598}"))
    }

    @Test func changeReachesThoseWhomItConcerns() throws {
        let first = try view("a.example")
        let second = try view("b.example")
        _ = try (written(first), written(second))
        house.state.withLock { _ = $0.open.insert("a.example") }
        desk.streams.changed(revision: 7)
        let text = try written(first)
        #expect(text.contains("id: 7\nevent: state\ndata: {\"app\":null,\"awakeUntil\":null,"))
        #expect(text.contains("\"blocked\":false,\"layer\":null,"))
        #expect(text.contains("\"remaining\":null"))
        #expect(try written(second).isEmpty)
        desk.streams.changed(revision: 8)
        #expect(try written(first).isEmpty)
    }

    @Test func endIsNoticedWithoutAWord() throws {
        house.state.withLock { $0.now = $0.until - 1.5 }
        let viewer = try view("a.example")
        _ = try written(viewer)
        pass(502)
        #expect(try written(viewer).contains("\"remaining\":1}"))
        pass(1000)
        let text = try written(viewer)
        #expect(text.contains("event: state"))
        #expect(text.contains("\"blocked\":false"))
        pass(10_000)
        let rest = try written(viewer)
        #expect(!rest.contains("event: state") && !rest.contains("event: tick"))
    }

    @Test func commentEveryTwoSeconds() throws {
        let viewer = try view("open.example")
        _ = try written(viewer)
        pass(1999)
        #expect(try written(viewer).isEmpty)
        pass(1)
        #expect(try written(viewer).contains(":\nevent: ping\ndata: {}\n\n"))
    }

    @Test func slowReaderGetsTheNewestOnly() throws {
        let viewer = try view("a.example")
        _ = try written(viewer)
        viewer.isWritable = false
        for _ in 0..<5 { pass(1000) }
        house.state.withLock { _ = $0.open.insert("a.example") }
        desk.streams.changed(revision: 1)
        house.state.withLock { _ = $0.open.remove("a.example") }
        desk.streams.changed(revision: 2)
        #expect(try written(viewer).isEmpty)
        viewer.isWritable = true
        viewer.pipeline.fireChannelWritabilityChanged()
        let text = try written(viewer)
        #expect(text.components(separatedBy: "event: state").count == 2)
        #expect(text.contains("id: 2\n"))
        #expect(text.contains("\"blocked\":true"))
    }

    @Test func tooManyAreTold() throws {
        let viewers = try [view("a.example"), view("b.example")]
        let third = try view("c.example")
        #expect(try written(third).hasPrefix("HTTP/1.1 503 "))
        let other = try view("a.example", from: "192.168.1.21")
        #expect(try written(other).hasPrefix("HTTP/1.1 200 "))
        let fourth = try view("a.example", from: "192.168.1.22")
        #expect(try written(fourth).hasPrefix("HTTP/1.1 503 "))
        try viewers[0].close().wait()
        #expect(try written(try view("c.example")).hasPrefix("HTTP/1.1 200 "))
    }

    @Test func nothingRunsWithoutViewers() throws {
        let viewer = try view("a.example")
        pass(1000)
        viewer.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(!viewer.isActive)
        house.asked.withLock { $0 = [] }
        pass(60_000)
        desk.streams.changed(revision: 1)
        #expect(house.asked.withLock { $0 }.isEmpty)
    }
}
