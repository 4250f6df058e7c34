import Glibc
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DNS

/// A resolver stops, another opens the same sockets, and clients that ask in between notice nothing.
@Suite(.timeLimit(.minutes(1))) struct KeptSocketsTests {
    /// Keeps sockets as the executable's shelf does.
    private final class Shelf: Sendable {
        private struct Place: Hashable {
            var address: SocketAddress
            var transport: KeptSockets.Transport
        }
        private let sockets = Mutex<[Place: [Int32]]>([:])

        var kept: KeptSockets {
            KeptSockets(
                count: { [self] address, transport in
                    sockets.withLock { $0[Place(address: address, transport: transport)]?.count ?? 0 }
                },
                take: { [self] address, transport, index in
                    sockets.withLock { sockets in
                        let known = sockets[Place(address: address, transport: transport)] ?? []
                        return index < known.count ? dup(known[index]) : nil
                    }
                },
                keep: { [self] descriptor, address, transport in
                    sockets.withLock {
                        $0[Place(address: address, transport: transport), default: []].append(dup(descriptor))
                    }
                },
                forget: { [self] address, transport in
                    sockets.withLock {
                        for one in $0.removeValue(forKey: Place(address: address, transport: transport)) ?? []
                        {
                            close(one)
                        }
                    }
                })
        }

        /// Puts another socket of the same port beside the kept ones.
        func addDatagram(_ address: SocketAddress) {
            let made = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK, 0)
            var yes: Int32 = 1
            setsockopt(made, SOL_SOCKET, SO_REUSEPORT, &yes, socklen_t(MemoryLayout<Int32>.size))
            address.withSockAddr { pointer, size in _ = bind(made, pointer, socklen_t(size)) }
            kept.keep(made, address, .datagram)
            close(made)
        }

        func empty() {
            for place in sockets.withLock({ Array($0.keys) }) { kept.forget(place.address, place.transport) }
        }
    }

    private static func resolver(_ shelf: Shelf, upstreams: [UpstreamServer] = []) -> DNS.Resolver {
        DNS.Resolver(
            configuration: .init(upstreams: upstreams), eventLoopGroup: House.group, logger: House.silence,
            kept: shelf.kept)
    }

    /// A resolver that listens. If a port that is free for UDP is taken for TCP, another one is tried.
    private static func started(
        _ shelf: Shelf, upstreams: [UpstreamServer] = [], beside others: Int = 0
    ) async throws -> (resolver: DNS.Resolver, address: SocketAddress) {
        for _ in 0..<10 {
            let address = try await House.freeAddress()
            for _ in 0..<others { shelf.addDatagram(address) }
            let resolver = resolver(shelf, upstreams: upstreams)
            if await resolver.start(filter: .empty, endpoints: [Endpoint(address: address)]).isEmpty {
                return (resolver, address)
            }
            await resolver.stop()
            shelf.empty()
        }
        throw Client.Silence()
    }

    @Test func whatWaitsIsAnsweredByTheNext() async throws {
        let shelf = Shelf()
        let (first, address) = try await Self.started(shelf)
        #expect(shelf.kept.count(address, .datagram) == 2)
        #expect(shelf.kept.count(address, .stream) == 1)
        await first.drain(within: .seconds(1))
        let client = try await Client.connect(House.group, to: address)
        async let reply = client.exchange([Message.query("localhost")])
        try await Task.sleep(for: .milliseconds(50))
        await first.stop()
        let second = Self.resolver(shelf)
        #expect(await second.start(filter: .empty, endpoints: [Endpoint(address: address)]).isEmpty)
        #expect(try await reply.count == 1)
        #expect(shelf.kept.count(address, .datagram) == 2)
        await second.stop()
        shelf.empty()
    }

    @Test func drainingAnswersWhatWasRead() async throws {
        let upstream = try await FakeUpstream(House.group) { question in
            Task {
                try await Task.sleep(for: .milliseconds(200))
                question.reply([Message.a("93.184.216.34", ttl: 300)])
            }
        }
        let shelf = Shelf()
        let (resolver, address) = try await Self.started(shelf, upstreams: [UpstreamServer(upstream.address)])
        let client = try await Client.connect(House.group, to: address)
        async let reply = client.exchange([Message.query("www.example.net")])
        try await Task.sleep(for: .milliseconds(50))
        await resolver.drain(within: .seconds(2))
        await resolver.stop()
        #expect(try await reply.first?.answers.map(\.address) == ["93.184.216.34"])
        shelf.empty()
        await upstream.stop()
    }

    @Test func drainingEndsBeforeQuestionsAreLost() async throws {
        let silent = try await FakeUpstream(House.group) { _ in }
        let shelf = Shelf()
        let (resolver, address) = try await Self.started(shelf, upstreams: [UpstreamServer(silent.address)])
        // A client's socket whose port leads to one of the two; its question gets no answer.
        let client = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(client) }
        address.withSockAddr { pointer, size in _ = connect(client, pointer, socklen_t(size)) }
        let question = Message.query("www.example.net")
        send(client, question, question.count, 0)
        try await Task.sleep(for: .milliseconds(50))
        let begun = NIODeadline.now()
        async let drained: Void = resolver.drain(within: .seconds(20))
        try await Task.sleep(for: .milliseconds(100))
        for _ in 0..<12_000 { send(client, question, question.count, 0) }
        await drained
        #expect(NIODeadline.now() - begun < .seconds(10))
        await resolver.stop()
        shelf.empty()
        await silent.stop()
    }

    @Test func everySocketOfAnAddressIsRead() async throws {
        let shelf = Shelf()
        let (resolver, address) = try await Self.started(shelf, beside: 7)
        for _ in 0..<50 {
            let client = try await Client.connect(House.group, to: address)
            #expect(try await client.exchange([Message.query("localhost")]).count == 1)
        }
        await resolver.stop()
        shelf.empty()
    }

    @Test func anAddressThatWentIsForgotten() async throws {
        let shelf = Shelf()
        let (resolver, address) = try await Self.started(shelf)
        #expect(await resolver.rebind(endpoints: [], home: HomeNetworks()).isEmpty)
        #expect(shelf.kept.count(address, .datagram) == 0)
        #expect(shelf.kept.count(address, .stream) == 0)
        await resolver.stop()
    }
}
