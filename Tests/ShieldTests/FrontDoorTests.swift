import Foundation
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import Shield

/// Real sockets on loopback, with ports that the kernel chooses.
@Suite(.timeLimit(.minutes(1))) struct FrontDoorTests {
    /// Answers 200 with the requested Host.
    private final class Desk: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .head(let head) = unwrapInboundIn(data), head.uri != "/never" else { return }
            let body = "dashboard \(head.headers["host"])\n"
            let headers: HTTPHeaders = ["content-length": "\(body.utf8.count)"]
            context.write(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .ok, headers: headers))),
                promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: body)))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }

    private let group = MultiThreadedEventLoopGroup.singleton
    private let house = TestHouse()

    private func door(limits: DoorLimits = DoorLimits(), port: Int = 0, tls: Int? = nil) -> FrontDoor {
        FrontDoor(
            configuration: DoorConfiguration(
                httpPort: port, httpsPort: tls, ownNames: ownNames, advertisedAddress: "192.168.1.2",
                limits: limits),
            facts: house.facts, eventLoopGroup: group, logger: Logger(label: "test"),
            dashboard: { channel, _, _ in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.configureHTTPServerPipeline(
                        withEncoderConfiguration: .init(), withDecoderLimitConfiguration: .init())
                    try pipeline.addHandler(Desk())
                    return {
                        let (ended, end) = AsyncStream.makeStream(of: Void.self)
                        channel.closeFuture.whenComplete { _ in end.finish() }
                        for await _ in ended {}
                    }
                }
            })
    }

    @Test func ownHostMeetsTheDashboardAllOthersTheShield() async throws {
        let door = door()
        let address = try #require(await door.start(addresses: ["127.0.0.1"]).opened.first)
        let own = try await Caller(group, to: address)
        own.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        let text = try await own.hear("evil.example")
        // The dashboard must refuse the second request: it owns the connection.
        #expect(text.contains("dashboard [\"localhost\"]"))
        #expect(door.connections == GuestBook.Count(strangers: 0, guests: 1))

        let foreign = try await Caller(group, to: address)
        foreign.say("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let shield = try await foreign.hear("<h1>localhost")
        #expect(shield.contains("<h1>evil.example 3600 of 3600 http://192.168.1.2"))
        #expect(!shield.contains("dashboard"))
        await door.stop(within: .seconds(2))
        #expect(door.connections == GuestBook.Count(strangers: 0, guests: 0))
    }

    @Test func answersWhoClosesItsHalf() async throws {
        let door = door()
        let address = try #require(await door.start(addresses: ["127.0.0.1"]).opened.first)
        for host in ["localhost", "evil.example"] {
            let caller = try await Caller(group, to: address)
            caller.say("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
            try await caller.channel.close(mode: .output)
            #expect(try await caller.hear(host).contains(host))
            try? await caller.channel.close()
        }
        await door.stop(within: .seconds(2))
    }

    @Test func takenPortIsSaidAndTheOthersOpen() async throws {
        let first = door()
        let address = try #require(await first.start(addresses: ["127.0.0.1"]).opened.first)
        let second = door(port: try #require(address.port))
        let opening = await second.start(addresses: ["127.0.0.1", "127.0.0.2"])
        #expect(opening.opened.map(\.ipAddress) == ["127.0.0.2"])
        #expect(
            opening.refused.map(\.description) == [
                "Port \(address.port!) on 127.0.0.1: another program listens there already."
            ])
        await second.stop(within: .seconds(1))
        await first.stop(within: .seconds(1))
    }

    @Test func rebindClosesAndOpens() async throws {
        let door = door()
        let first = try #require(await door.start(addresses: ["127.0.0.1", "127.0.0.3"]).opened.first)
        let opening = await door.rebind(addresses: ["127.0.0.1", "127.0.0.2"])
        #expect(opening.opened.first == first)
        #expect(opening.opened.map(\.ipAddress) == ["127.0.0.1", "127.0.0.2"])
        let caller = try await Caller(group, to: opening.opened[1])
        caller.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await caller.hear("dashboard").contains("200 OK"))
        await door.stop(within: .seconds(1))
        await #expect(throws: (any Error).self) { _ = try await Caller(group, to: first) }
    }

    @Test func tlsHearsAnAlertAtOnce() async throws {
        let door = door(tls: 0)
        let opening = await door.start(addresses: ["127.0.0.1"])
        let caller = try await Caller(group, to: try #require(opening.opened.last))
        let hello: [UInt8] =
            [22, 3, 1, 0, 47, 1, 0, 0, 43, 3, 3] + [UInt8](repeating: 1, count: 32) + [
                0, 0, 2, 0x13, 1, 1, 0, 0, 0,
            ]
        try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello))
        #expect(try await Array(caller.hear("p").utf8) == [21, 3, 3, 0, 2, 2, 112])
        await door.stop(within: .seconds(1))
    }

    @Test func streamsEndWithTheDoor() async throws {
        let door = door()
        let address = try #require(await door.start(addresses: ["127.0.0.1"]).opened.first)
        let viewer = try await Caller(group, to: address)
        viewer.say("GET /.sleep-inducer/events HTTP/1.1\r\nHost: a.example\r\n\r\n")
        #expect(try await viewer.hear("event: state").contains("\"blocked\":true"))
        house.state.withLock { _ = $0.open.insert("a.example") }
        door.changed(revision: 3)
        #expect(try await viewer.hear("id: 3").contains("\"blocked\":false"))
        let start = ContinuousClock.now
        await door.stop(within: .seconds(10))
        #expect(start.duration(to: .now) < .seconds(3))
        _ = try await viewer.hearAll()
    }

    @Test func whoHangsIsClosedInTime() async throws {
        let door = door()
        let address = try #require(await door.start(addresses: ["127.0.0.1"]).opened.first)
        let caller = try await Caller(group, to: address)
        caller.say("POST /never HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\n")
        let other = try await Caller(group, to: address)
        other.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try await other.hear("dashboard")
        let start = ContinuousClock.now
        await door.stop(within: .milliseconds(400))
        #expect(start.duration(to: .now) < .seconds(2))
        _ = try await caller.hearAll()
    }

    /// More slow strangers than there are places do not keep the dashboard from answering.
    @Test func fiveHundredSlowConnections() async throws {
        var limits = DoorLimits()
        limits.strangers = 300
        let door = door(limits: limits)
        let address = try #require(await door.start(addresses: ["127.0.0.1"]).opened.first)
        var slow: [Caller] = []
        for _ in 0..<500 {
            let caller = try await Caller(group, to: address)
            caller.say("GET / HTTP/1.1\r\nHost: loc")
            slow.append(caller)
        }
        let start = ContinuousClock.now
        let caller = try await Caller(group, to: address)
        caller.say("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(try await caller.hear("dashboard").contains("200 OK"))
        #expect(start.duration(to: .now) < .seconds(1))
        #expect(door.connections.strangers <= 300)
        await door.stop(within: .milliseconds(200))
        for caller in slow { _ = try await caller.hearAll() }
    }
}
