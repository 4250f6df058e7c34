import Directory
import NIOCore
import NIOPosix
import Testing

@testable import DNS

/// Binding, changing filters and addresses, and collecting from two event loops.
@Suite(.timeLimit(.minutes(1))) struct ListenerTests {
    private static let block = Filter(
        table: NameTable(sets: [], counted: [CountedName(below: "video.example", tag: 5)]),
        groups: [.init(rules: [.init(action: .block(text: ""))])], clients: [House.me: 0])

    @Test func aTakenPortIsRefusedWithItsReason() async throws {
        let house = try await House.open([])
        let other = DNS.Resolver(
            configuration: .init(upstreams: []), eventLoopGroup: House.group, logger: House.silence)
        let refusals = await other.start(filter: .empty, endpoints: [Endpoint(address: house.address)])
        #expect(refusals.map(\.transport) == [.udp, .tcp])
        #expect(refusals.allSatisfy { $0.reason == "the port is taken by another program" })
        #expect(try await house.ask("localhost")?.answers.count == 1)
        await other.stop()
        await house.close()
    }

    @Test func anAddressThatIsNotOursIsRefused() async throws {
        let house = try await House.open([])
        let foreign = Endpoint(address: try SocketAddress(ipAddress: "203.0.113.1", port: 5392))
        let refusals = await house.resolver.rebind(
            endpoints: [Endpoint(address: house.endpoint), foreign], home: HomeNetworks())
        #expect(refusals.map(\.address) == [foreign.address, foreign.address])
        #expect(try await house.ask("localhost")?.answers.count == 1)
        await house.close()
    }

    @Test("Where only UDP could be opened it stays open while TCP is tried again: questions wait in it")
    func halfBound() async throws {
        let address = try await House.freeAddress()
        let taken = try await ServerBootstrap(group: House.group).bind(to: address).get()
        let resolver = DNS.Resolver(
            configuration: .init(upstreams: []), eventLoopGroup: House.group, logger: House.silence)
        let endpoint = Endpoint(address: address)
        #expect(await resolver.start(filter: .empty, endpoints: [endpoint]).map(\.transport) == [.tcp])
        let before = try await resolver.openSockets
        #expect(await resolver.rebind(endpoints: [endpoint], home: HomeNetworks()).map(\.transport) == [.tcp])
        #expect(try await resolver.openSockets == before && !before.isEmpty)
        try await taken.close()
        #expect(await resolver.rebind(endpoints: [endpoint], home: HomeNetworks()).isEmpty)
        #expect(try await resolver.openSockets == before)
        await resolver.stop()
    }

    @Test func bothLoopsFollowTheFilterAndAreCounted() async throws {
        let upstream = try await FakeUpstream(House.group) {
            $0.reply([Message.a("93.184.216.34", ttl: 300)])
        }
        let house = try await House.open([upstream], filter: Self.block, loops: 2)
        var collected = Collected()
        for round in 0..<2 {
            for _ in 0..<16 {
                let reply = try await house.ask("api.video.example")
                #expect(reply?.answers.map(\.address) == [round == 0 ? "0.0.0.0" : "93.184.216.34"])
            }
            if round == 0 {
                await house.resolver.apply(.empty)
                collected = await house.resolver.collect()
            }
        }
        #expect(collected.counts.reduce(0) { $0 + $1.queries } == 16)
        #expect(collected.counts.allSatisfy { $0.client == House.me && $0.tag == 5 && $0.blocked })
        #expect(collected.clients == [House.me])
        #expect(await house.resolver.collect().metrics.queries == 32)
        await house.close()
    }

    @Test func aNewerFilterIsNotOverridenByTheFirst() async throws {
        let resolver = DNS.Resolver(
            configuration: .init(upstreams: []), eventLoopGroup: House.group, logger: House.silence)
        await resolver.apply(Self.block)
        let anywhere = Endpoint(address: try SocketAddress(ipAddress: "127.0.0.1", port: 0))
        _ = await resolver.start(filter: .empty, endpoints: [anywhere])
        let address = try #require(await resolver.localAddresses.first)
        let client = try await Client.connect(House.group, to: address)
        let replies = try await client.exchange([Message.query("api.video.example")])
        #expect(replies.first?.answers.map(\.address) == ["0.0.0.0"])
        await resolver.stop()
    }

    @Test func whatTheMachineCallsItselfCanChange() async throws {
        let house = try await House.open([])
        #expect(try await house.ask("sleep.home.arpa")?.answers.map(\.address) == ["127.0.0.1"])
        let moved = Endpoint(
            address: house.endpoint, v4: ClientAddress("192.168.7.7"), v6: ClientAddress("fd00::7"))
        #expect(await house.resolver.rebind(endpoints: [moved], home: HomeNetworks()).isEmpty)
        #expect(try await house.ask("sleep.home.arpa")?.answers.map(\.address) == ["192.168.7.7"])
        #expect(try await house.ask("sleep.home.arpa", 28)?.answers.map(\.address) == ["fd00::7"])
        #expect(try await house.ask("7.7.168.192.in-addr.arpa", 12)?.answers.count == 1)
        await house.close()
    }

    @Test func aSocketThatTheSystemClosedOpensAgain() async throws {
        let address = try await House.freeAddress()
        let loops = Loops(.init(upstreams: []), House.oneLoop)
        let loop = loops.all[0]
        let open = loop.eventLoop.flatSubmit {
            let socket = DatagramSocket(loop.value, loop.value.listening(address), address)
            let bound = NIOLoopBound(socket, eventLoop: loop.eventLoop)
            return socket.open().map { bound }
        }
        let socket = try await open.get()
        for _ in 0..<3 {
            let channel = try await loop.eventLoop.submit { socket.value.channel }.get()
            try await channel?.close()
            while try await loop.eventLoop.submit({ socket.value.channel == nil }).get() {
                await Task.yield()
            }
            let client = try await Client.connect(House.group, to: address)
            #expect(try await client.exchange([Message.query("localhost")]).count == 1)
        }
        try await loop.eventLoop.flatSubmit { socket.value.close() }.get()
        #expect(try await loop.eventLoop.submit { socket.value.channel == nil }.get())
    }

    @Test func forgersAreNotAnswered() {
        let addresses = ["0.0.0.0", "224.0.0.1", "255.255.255.255", "ff02::1", "::"]
        #expect(addresses.allSatisfy { !ClientAddress($0)!.canBeAnswered })
        #expect(
            ["127.0.0.1", "192.168.1.9", "fe80::9", "2001:db8::1"].allSatisfy {
                ClientAddress($0)!.canBeAnswered
            })
    }

    @Test func repliesComeFromTheAddressThatWasAsked() async throws {
        let resolver = DNS.Resolver(
            configuration: .init(upstreams: []), eventLoopGroup: House.group, logger: House.silence)
        var addresses: [SocketAddress] = []
        for host in ["127.0.0.5", "127.0.0.6", "::1"] { addresses.append(try await House.freeAddress(host)) }
        #expect(
            await resolver.start(filter: .empty, endpoints: addresses.map { Endpoint(address: $0) }).isEmpty)
        for address in addresses {
            let client = try await Client.connect(House.group, to: address)
            #expect(try await client.exchange([Message.query("localhost")]).count == 1)
        }
        let two = addresses.prefix(2).map { Endpoint(address: $0) }
        #expect(await resolver.rebind(endpoints: Array(two), home: HomeNetworks()).isEmpty)
        #expect(await resolver.localAddresses.count == 2)
        await resolver.stop()
    }
}

extension DNS.Resolver {
    /// The UDP channels as they are now.
    fileprivate var openSockets: [ObjectIdentifier] {
        get async throws {
            var found: [ObjectIdentifier] = []
            for socket in await listeners.datagrams {
                let channel = try await socket.eventLoop.submit {
                    socket.value.channel.map { ObjectIdentifier($0) }
                }.get()
                if let channel { found.append(channel) }
            }
            return found
        }
    }
}
