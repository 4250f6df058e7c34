import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DNS

/// Encrypted upstreams that are partly, or for a while wholly, absent.
@Suite(.timeLimit(.minutes(1))) struct EncryptedOutageTests {
    typealias Carrier = EncryptedUpstreamTests.Carrier

    private static let address = [Message.a("93.184.216.34", ttl: 60)]

    /// A house whose encrypted upstream `dns.example` is at these addresses.
    private static func house(_ upstream: UpstreamServer, at addresses: [String]) async throws -> House {
        let bootstrap = try await FakeUpstream(House.group) { received in
            let isV4 = Message(received.query).question.suffix(4).starts(with: [0, 1])
            received.reply(isV4 ? addresses.map { Message.a($0, ttl: 60) } : [])
        }
        return try await House.open([], before: [upstream]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
            $0.network.bootstrapServers = [UpstreamServer(bootstrap.address)]
        }
    }

    @Test(arguments: Carrier.allCases)
    func theNextAddressIsTriedWhereACertificateIsAnothers(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS, names: ["dns.example"]) {
            $0.reply(Self.address)
        }
        let asked = Mutex(0)
        let other = try await SecureUpstream(
            isHTTPS: carrier.isHTTPS, names: ["evil.example"], at: "127.0.0.2", port: upstream.port
        ) { _ in asked.withLock { $0 += 1 } }
        try await Self.expectAnswer(from: upstream, carrier)
        #expect(other.opened == 1 && asked.withLock { $0 } == 0)
        await other.stop()
        await upstream.stop()
    }

    @Test(arguments: Carrier.allCases)
    func theNextAddressIsTriedWhereOneHangsUp(carrier: Carrier) async throws {
        let upstream = try await SecureUpstream(isHTTPS: carrier.isHTTPS, names: ["dns.example"]) {
            $0.reply(Self.address)
        }
        let other = try await ServerBootstrap(group: House.group)
            .childChannelInitializer { $0.close() }
            .bind(host: "127.0.0.2", port: upstream.port).get()
        try await Self.expectAnswer(from: upstream, carrier)
        try await other.close()
        await upstream.stop()
    }

    /// Its name has two addresses, and it is at the second.
    private static func expectAnswer(from upstream: SecureUpstream, _ carrier: Carrier) async throws {
        let house = try await Self.house(
            upstream.server(path: carrier.path, host: "dns.example"), at: ["127.0.0.2", "127.0.0.1"])
        #expect(try await house.ask("a.example")?.answers == Self.address)
        await house.close()
    }

    @Test(arguments: Carrier.allCases)
    func aNameWithManyAddressesIsNotTriedForEver(carrier: Carrier) async throws {
        let other = try await SecureUpstream(
            isHTTPS: carrier.isHTTPS, names: ["evil.example"], at: "0.0.0.0"
        ) { $0.reply(Self.address) }
        let house = try await Self.house(
            other.server(path: carrier.path, host: "dns.example"), at: (1...20).map { "127.0.0.\($0)" })
        #expect(try await house.ask("a.example")?.rcode == 2)
        #expect(other.opened == LineOpening.mostAddresses)
        await house.close()
        await other.stop()
    }

    @Test(
        "A Content-Type's case and parameters do not matter (RFC 9110, 8.3.1)",
        arguments: [
            ("application/dns-message; charset=utf-8", 0), ("Application/DNS-Message", 0),
            ("application/dns-message ; q=1", 0), ("application/dns-message\t;a=b", 0),
            ("application/dns-message;", 0), ("application/dns-messages", 2), ("application/dns-json", 2),
            ("text/plain; application/dns-message", 2), ("application/dns", 2), ("", 2),
        ] as [(String, UInt16)])
    func contentTypes(type: String, code: UInt16) async throws {
        let upstream = try await SecureUpstream(isHTTPS: true) { received in
            received.reply(Message.response(to: received.query, Self.address).bytes, type: type)
        }
        let house = try await House.open([], before: [upstream.server(path: "/dns-query")]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
        }
        #expect(try await house.ask("a.example")?.rcode == code)
        await house.close()
        await upstream.stop()
    }

    /// The first upstream is passed over, reported as silent, and used again after an answer.
    @Test func whoAnswersInHTTPAloneIsSilent() async throws {
        let works = Mutex(false)
        let broken = try await SecureUpstream(isHTTPS: true) { received in
            let answer = Message.response(to: received.query, Self.address).bytes
            received.reply(answer, status: works.withLock { $0 } ? "200" : "500")
        }
        let plain = try await FakeUpstream(House.group) { $0.reply(Self.address) }
        let server = try broken.server(path: "/dns-query")
        let house = try await House.open([plain], before: [server]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
        }
        let world = house.resolver.loops.upstreams.world
        // The upstream answers the question of the loop check.
        while world[0].with({ $0.heard == nil }) { await Task.yield() }
        #expect(try await house.ask("a.example")?.answers == Self.address)
        #expect(world[0].with { $0.silences } == 1)
        #expect(world.inOrder(at: .now()) == [world[1], world[0]])
        let later = NIODeadline.now() + .minutes(10)
        world[0].with { $0.wasSilent(sinceAsked: later, at: later) }
        for _ in 0..<2 { await house.resolver.checkUpstreams() }
        #expect(Self.silent(house) == [server], "it was asked once more")
        works.withLock { $0 = true }
        await house.resolver.checkUpstreams()
        #expect(Self.silent(house).isEmpty)
        await house.close()
        await plain.stop()
        await broken.stop()
    }

    /// Upstreams that a household is told are silent.
    private static func silent(_ house: House) -> [UpstreamServer] {
        house.resolver.upstreamTroubles.filter { one in
            if case .silent? = one.trouble { true } else { false }
        }.map(\.server)
    }

    /// A server that closes takes back the questions that it has not begun to answer.
    @Test func aStreamThatIsTakenBackIsAskedOnceMore() async throws {
        let connections = Mutex([Int]())
        let upstream = try await SecureUpstream(isHTTPS: true) { received in
            let count = connections.withLock { connections in
                connections.append(received.connection)
                return connections.count
            }
            if count == 1 { received.takeBack() } else { received.reply(Self.address) }
        }
        let house = try await House.open([], before: [upstream.server(path: "/dns-query")]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
        }
        #expect(try await house.ask("a.example")?.answers == Self.address)
        // The same connection: others may be those of a resolver that found its port taken.
        let asked = connections.withLock { $0 }
        #expect(asked.count == 2 && Set(asked).count == 1)
        await house.close()
        await upstream.stop()
    }

    /// The first upstream answers everything in time, so that no client's question reaches the second.
    @Test(arguments: Carrier.allCases)
    func aSilentSecondIsAskedWhetherItIsBack(carrier: Carrier) async throws {
        let isBack = Mutex(false)
        let asked = Mutex<[[UInt8]]>([])
        let second = try await SecureUpstream(isHTTPS: carrier.isHTTPS) { received in
            asked.withLock { $0.append(received.query) }
            if isBack.withLock({ $0 }) {
                received.reply([.init(type: 2, ttl: 60, data: Message.wireName("a.test"))])
            }
        }
        let first = try await FakeUpstream(House.group) { $0.reply(Self.address) }
        let server = try second.server(path: carrier.path)
        let house = try await House.open([], before: [UpstreamServer(first.address), server]) {
            $0.upstreamTLS = try? UpstreamTLS(roots: TestAuthority.shared.trusted)
        }
        let resolver = house.resolver
        let itself = resolver.loops.upstreams.world[1]
        // The question of the loop check goes there at the start.
        while itself.with({ $0.heard == nil }) { await Task.yield() }
        await resolver.checkUpstreams()
        #expect(Self.silent(house).isEmpty)
        #expect(asked.withLock { $0.isEmpty }, "who is not silent is not asked")
        let now = NIODeadline.now()
        for silence in [now, now + .minutes(10)] {
            itself.with { $0.wasSilent(sinceAsked: silence, at: silence) }
        }
        for _ in 0..<2 { await resolver.checkUpstreams(patience: .milliseconds(200)) }
        #expect(Self.silent(house) == [server])
        isBack.withLock { $0 = true }
        #expect(try await house.ask("a.example")?.answers == Self.address)
        await resolver.checkUpstreams()
        #expect(Self.silent(house).isEmpty)
        let questions = asked.withLock { $0 }.map { Message($0).question }
        #expect(questions.count == 3 && Set(questions) == [[0, 0, 2, 0, 1]])
        #expect(itself.with { $0.silences } == 0)
        await house.close()
        await first.stop()
        await second.stop()
    }
}
