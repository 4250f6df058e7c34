import Logging
import NIOCore
import NIOPosix
import Policy
import Synchronization
import Testing

@testable import Shield

/// Open names are relayed to their host, over real loopback sockets (design.md, "Shield").
@Suite(.timeLimit(.minutes(1))) struct RelayTests {
    private let group = MultiThreadedEventLoopGroup.singleton
    private let house = TestHouse()

    /// A front door for which all names are at one host.
    private func door(to host: SocketAddress?, mayPass: Bool = true, limits: DoorLimits = DoorLimits())
        async throws -> (FrontDoor, http: SocketAddress, https: SocketAddress)
    {
        let door = FrontDoor(
            configuration: DoorConfiguration(
                httpPort: 0, httpsPort: 0, ownNames: ownNames, limits: limits),
            facts: house.facts, eventLoopGroup: group, logger: Logger(label: "test"),
            relay: RelayFacts(mayPass: { _ in mayPass }, destinations: { _, _ in host.map { [$0] } ?? [] }),
            dashboard: { channel, _, _ in channel.eventLoop.makeFailedFuture(ChannelError.eof) })
        let opened = await door.start(addresses: ["127.0.0.1"]).opened
        return (door, try #require(opened.first), try #require(opened.last))
    }

    private func hello(_ name: String) -> [UInt8] {
        func counted(_ bytes: [UInt8], _ width: Int = 2) -> [UInt8] {
            (0..<width).reversed().map { UInt8(bytes.count >> ($0 * 8) & 0xFF) } + bytes
        }
        let sni = [0, 0] + counted(counted([0] + counted(Array(name.utf8))))
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0] + counted([0x13, 0x01]) + counted([0], 1)
            + counted(sni)
        return [22, 3, 1] + counted([1] + counted(body, 3))
    }

    @Test func anOpenNameReachesItsHostUntouched() async throws {
        let host = try await Host(group)
        let (door, _, https) = try await door(to: host.address)
        let caller = try await Caller(group, to: https)
        let hello = hello("open.example")
        // In pieces, and with more bytes behind it than the reception has looked at.
        try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello[..<9]))
        try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello[9...] + Array("and on".utf8)))
        _ = try await caller.hear("and on")
        #expect(host.heard == hello + Array("and on".utf8))
        #expect(door.connections == GuestBook.Count(strangers: 0, guests: 0, passing: 1))
        // A client that has closed its side still receives the rest.
        try await caller.channel.close(mode: .output)
        #expect(try await caller.hearAll().hasSuffix("the end"))
        await door.stop(within: .seconds(1))
        #expect(door.connections.passing == 0)
        try await host.close()
    }

    @Test func aRequestForAnOpenHostGoesThere() async throws {
        let host = try await Host(group)
        let (door, http, _) = try await door(to: host.address)
        let caller = try await Caller(group, to: http)
        let request = "GET /x HTTP/1.1\r\nHost: open.example:80\r\n\r\n"
        caller.say(request)
        #expect(try await caller.hear("\r\n\r\n") == request)
        let corner = try await Caller(group, to: http)
        corner.say("HEAD /.sleep-inducer/here HTTP/1.1\r\nHost: open.example\r\n\r\n")
        #expect(try await corner.hear("204").contains("204"))
        await door.stop(within: .seconds(1))
        try await host.close()
    }

    /// On a connection that got the shield, a request for a name that is open by now is sent to the next connection:
    /// browsers ask again.
    @Test(arguments: [1, 8_000])
    func aKeptConnectionEndsWhenItsNameOpens(length: Int) async throws {
        let path = "/x?" + String(repeating: "y", count: length)
        let host = try await Host(group)
        let (door, http, _) = try await door(to: host.address)
        let caller = try await Caller(group, to: http)
        caller.say("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
        #expect(try await caller.hear("</h1>").contains("403"))
        house.state.withLock { _ = $0.open.insert("a.example") }
        caller.say("GET \(path) HTTP/1.1\r\nHost: a.example\r\n\r\n")
        let last = try await caller.hearAll()
        #expect(
            last.contains("HTTP/1.1 307 ") && last.contains("location: \(path)\r\n") && !last.contains("503"))
        await door.stop(within: .seconds(1))
        try await host.close()
    }

    @Test func aBlockCutsWhatIsOpenAndNothingElse() async throws {
        let host = try await Host(group)
        house.state.withLock { _ = $0.open.insert("other.example") }
        let (door, _, https) = try await door(to: host.address)
        let cut = try await Caller(group, to: https)
        let kept = try await Caller(group, to: https)
        try await cut.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
        try await kept.channel.writeAndFlush(ByteBuffer(bytes: hello("other.example")))
        for caller in [cut, kept] {
            caller.say("hello")
            _ = try await caller.hear("hello")
        }
        house.state.withLock { _ = $0.open.remove("open.example") }
        door.changed(revision: 2)
        _ = try await cut.hearAll()
        kept.say("still there")
        _ = try await kept.hear("still there")
        #expect(door.connections.passing == 1)
        await door.stop(within: .seconds(1))
        try await host.close()
    }

    /// Devices collect addresses, and the oldest are forgotten: nothing is blocked for an unknown address.
    @Test(arguments: [nil, DeviceID(rawValue: 2)])
    func whatADeviceOpenedIsCutWhenItsAddressIsNotItsOwnAnyMore(owner: DeviceID?) async throws {
        let host = try await Host(group)
        house.state.withLock { $0.device = DeviceID(rawValue: 1) }
        let (door, _, https) = try await door(to: host.address)
        let caller = try await Caller(group, to: https)
        try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
        for (revision, word) in ["hello", "still there"].enumerated() {
            caller.say(word)
            _ = try await caller.hear(word)
            door.changed(revision: revision + 2)
        }
        house.state.withLock { $0.device = owner }
        door.changed(revision: 4)
        _ = try await caller.hearAll()
        await door.stop(within: .seconds(1))
        try await host.close()
    }

    @Test func muchGoesThroughBothWays() async throws {
        let host = try await Host(group)
        let (door, _, https) = try await door(to: host.address)
        let caller = try await Caller(group, to: https)
        try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
        let part = ByteBuffer(repeating: 0x61, count: 1 << 20)
        for _ in 0..<2 { caller.channel.writeAndFlush(part, promise: nil) }
        caller.say("z")
        let heard = try await caller.hear("z")
        #expect(heard.utf8.count >= 2 << 20)
        await door.stop(within: .seconds(1))
        try await host.close()
    }

    /// The client has sent everything and takes the answer slowly: no byte is lost.
    @Test func aLongAnswerArrivesWholeAfterTheClientsEnd() async throws {
        let ending = (0..<24_000_000).map { (number: Int) -> UInt8 in
            UInt8(32 + (number + number / 1000) % 90)
        }
        let host = try await Host(group, ending: ByteBuffer(bytes: ending))
        let (door, _, https) = try await door(to: host.address)
        let caller = try await Caller(group, to: https)
        try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
        caller.say("that is all")
        let before = try await caller.hear("that is all").utf8.count
        // More than systems buffer: the rest waits here to be written.
        try await caller.takeSlowly()
        try await caller.channel.close(mode: .output)
        try await caller.channel.closeFuture.get()
        let heard = try await caller.hearAll().utf8.dropFirst(before)
        #expect(heard.elementsEqual(ending))
        await door.stop(within: .seconds(1))
        #expect(door.connections.passing == 0)
        try await host.close()
    }

    @Test func whatLeadsNowhereIsSaidAtOnce() async throws {
        let closed = try await Host(group)
        let gone = closed.address
        try await closed.close()
        for host in [nil, gone] {
            let (door, http, https) = try await door(to: host)
            let tls = try await Caller(group, to: https)
            try await tls.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
            #expect(try await Array(tls.hear("P").utf8) == [21, 3, 3, 0, 2, 2, 80])
            let plain = try await Caller(group, to: http)
            plain.say("GET / HTTP/1.1\r\nHost: open.example\r\n\r\n")
            #expect(try await plain.hear("</h1>").contains("503"))
            // The place is given back on the loop of the attempt, which may be a moment later.
            for _ in 0..<100 where door.connections.passing > 0 {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(door.connections.passing == 0)
            await door.stop(within: .seconds(1))
        }
    }

    /// Clients outside the network are not relayed.
    @Test func strangersAreNotPassedOn() async throws {
        let host = try await Host(group)
        let (door, http, https) = try await door(to: host.address, mayPass: false)
        let tls = try await Caller(group, to: https)
        try await tls.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
        #expect(try await Array(tls.hear("p").utf8) == [21, 3, 3, 0, 2, 2, 112])
        let plain = try await Caller(group, to: http)
        plain.say("GET / HTTP/1.1\r\nHost: open.example\r\n\r\n")
        #expect(try await plain.hear("</h1>").contains("503"))
        #expect(host.heard.isEmpty)
        await door.stop(within: .seconds(1))
        try await host.close()
    }

    /// A router redirects outgoing connections to this server: the request is not relayed again and again.
    @Test(arguments: [true, false])
    func aRequestThatComesBackIsNotRelayedForEver(isTLS: Bool) async throws {
        let back = Mutex<[Int: SocketAddress]>([:])
        let relayed = Mutex(0)
        let door = FrontDoor(
            configuration: DoorConfiguration(httpPort: 0, httpsPort: 0, ownNames: ownNames),
            facts: house.facts, eventLoopGroup: group, logger: Logger(label: "test"),
            relay: RelayFacts(
                mayPass: { _ in true },
                destinations: { _, port in
                    relayed.withLock { $0 += 1 }
                    return back.withLock { $0[port].map { [$0] } ?? [] }
                }),
            dashboard: { channel, _, _ in channel.eventLoop.makeFailedFuture(ChannelError.eof) })
        let opened = await door.start(addresses: ["127.0.0.1"]).opened
        let (http, https) = (try #require(opened.first), try #require(opened.last))
        back.withLock { $0 = [80: http, 443: https] }
        let caller = try await Caller(group, to: isTLS ? https : http)
        if isTLS {
            try await caller.channel.writeAndFlush(ByteBuffer(bytes: hello("open.example")))
            _ = try await caller.hearAll()
        } else {
            caller.say("GET / HTTP/1.1\r\nHost: open.example\r\n\r\n")
            #expect(try await caller.hear("</h1>").contains("503"))
        }
        #expect(relayed.withLock { $0 } == Echoes.most)
        await door.stop(within: .seconds(1))
    }

    /// Requests that two parsers could read differently, and proxy requests, get the shield.
    @Test(arguments: [
        "GET http://open.example/ HTTP/1.1\r\nHost: open.example\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: open.example\r\nHost: other.example\r\n\r\n",
        "GET / HTTP/1.0\r\nHost: open.example\r\n\r\n",
        "CONNECT open.example:443 HTTP/1.1\r\nHost: open.example\r\n\r\n",
    ])
    func onlyOrdinaryRequestsPass(request: String) async throws {
        let host = try await Host(group)
        let (door, http, _) = try await door(to: host.address)
        let caller = try await Caller(group, to: http)
        caller.say(request)
        _ = try await caller.hear("\r\n\r\n")
        #expect(host.heard.isEmpty)
        await door.stop(within: .seconds(1))
        try await host.close()
    }
}
