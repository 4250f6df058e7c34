import Directory
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DNS

/// A device that floods costs no other device anything, even with many addresses.
@Suite(.timeLimit(.minutes(1))) struct SharesTests {
    private static let most = Resolver.Configuration.Bounds().connections
    private static let hardware = MACAddress("02:00:00:00:00:66")!

    /// Which connections gave way, in that order.
    private final class Log { var closed: [Int] = [] }

    private static func connections(_ holders: [ClientAddress], _ log: Log) -> Connections {
        let connections = Connections(most: most)
        for (index, holder) in holders.enumerated() {
            connections.enter(
                Connections.Connection(holder, at: .uptimeNanoseconds(UInt64(index))) {
                    log.closed.append(index)
                })
        }
        return connections
    }

    @Test func aNewConnectionTakesThePlaceOfTheIdlestOfWhoHasMost() {
        let greedy = ClientAddress(Self.hardware)
        let log = Log()
        let holders = [House.me, Asker.device] + [ClientAddress](repeating: greedy, count: 300)
        let connections = Self.connections(holders + [Asker.guest], log)
        #expect(connections.count == Self.most)
        #expect(log.closed == Array(2..<105))
    }

    /// A flood from as many devices as there are places still leaves room for another.
    @Test func aNewConnectionAlwaysGetsIn() {
        let log = Log()
        let many = (0..<400).map { ClientAddress(v4: 0x0a00_0000 + UInt32($0)) }
        let connections = Self.connections(many, log)
        #expect(connections.count == Self.most)
        #expect(log.closed == Array(0..<200))
    }

    @Test func whatWasActiveIsNotIdle() {
        let log = Log()
        let connections = Connections(most: Self.most)
        let all = (0..<Self.most).map { index in
            Connections.Connection(House.me, at: .uptimeNanoseconds(UInt64(index))) {
                log.closed.append(index)
            }
        }
        for connection in all { connections.enter(connection) }
        all[0].lastActive = .uptimeNanoseconds(1000)
        connections.leave(all[1])
        connections.leave(all[1])
        for time: UInt64 in 2000...2001 {
            connections.enter(Connections.Connection(Asker.device, at: .uptimeNanoseconds(time)) {})
        }
        #expect(log.closed == [2])
    }

    /// The transports are counted apart, too.
    @Test(arguments: House.Transport.allCases.filter { $0 != .udp })
    func whoOpensManyConnectionsKeepsNobodyOut(kind: House.Transport) async throws {
        let house = try await House.open([], servesTLS: true) { $0.connectionPatience = .seconds(50) }
        let address = kind == .tls ? house.secureAddress : house.address
        var greedy: [any Channel] = []
        for _ in 0..<Self.most + 20 {
            greedy.append(try await ClientBootstrap(group: House.group).connect(to: address).get())
        }
        let query = Client.framed(Message.query("localhost"))
        for transport in [House.Transport.tcp, .tls] {
            #expect(try await house.connect(transport).exchange([query]).first?.rcode == 0)
        }
        // The first connection gave way.
        try await greedy[0].closeFuture.get()
        for channel in greedy { try? await channel.close() }
        await house.close()
    }

    @Test func aDeviceIsCountedByItsHardwareAddressElseByItsNetwork() async throws {
        let loops = Loops(DNS.Resolver.Configuration(upstreams: []), House.oneLoop)
        let holders = await loops.ask { loop in
            loop.responder.apply(
                Neighbours([
                    ClientAddress("192.168.1.5")!: Self.hardware, ClientAddress("fd00::2")!: Self.hardware,
                ])
            )
            return ["192.168.1.5", "fd00::2", "fd00::1", "fd00::3", "fd01::1", "192.168.1.6"].map {
                loop.responder.holder(of: ClientAddress($0)!)
            }
        }.first
        let device = ClientAddress(Self.hardware)
        let network = ClientAddress("fd00::")!
        #expect(
            holders == [
                device, device, network, network, ClientAddress("fd01::")!, ClientAddress("192.168.1.6")!,
            ])
    }

    /// One device asks from many addresses for names with silent servers, and for a normal name, for which others do
    /// not have to wait either.
    @Test func deadNamesOfOneDeviceCostOthersNothing() async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            guard !Message(received.query).isForDeadName else { return }
            received.reply([Message.a("93.184.216.34", ttl: 60)])
        }
        var configuration = DNS.Resolver.Configuration(upstreams: [UpstreamServer(upstream.address)])
        configuration.upstreamPatience = [.seconds(20)]
        let loops = Loops(configuration, House.oneLoop)
        let (answers, report) = AsyncStream.makeStream(of: String.self)
        let start = ContinuousClock.now
        _ = await loops.ask { loop in
            let table = (1...6).map { (ClientAddress("fd00::\($0)")!, Self.hardware) }
            loop.responder.apply(Neighbours(Dictionary(uniqueKeysWithValues: table)))
            for number in 0..<1200 {
                let client = ClientAddress("fd00::\(String(number % 6 + 1, radix: 16))")!
                Self.ask("dead\(number).example", client, loop) { _ in }
                if number == 240 { Self.ask("wanted.example", client, loop) { _ in } }
            }
            for name in ["wanted.example", "other.example"] {
                Self.ask(name, Asker.device, loop) { if $0.rcode == 0 { report.yield(name) } }
            }
        }
        var heard: Set<String> = []
        for await name in answers {
            heard.insert(name)
            if heard.count == 2 { break }
        }
        #expect(start.duration(to: .now) < .seconds(10))
        #expect(
            upstream.queries.count { Message($0).isForDeadName } <= Resolver.Configuration.Bounds().questions
                / 2)
        _ = await loops.ask { $0.stop() }
        await upstream.stop()
    }

    private static func ask(
        _ text: String, _ client: ClientAddress, _ loop: ResolverLoop,
        _ onAnswer: @escaping @Sendable (Message) -> Void
    ) {
        guard let question = PendingQuery(Message.query(text)) else { return }
        let asking = Responder.Asking(
            client: client, endpoint: OwnAddresses(), isDatagram: true, now: .now())
        let waiter = Exchange.Waiter(
            question: question, asking: asking, holder: loop.responder.holder(of: client)
        ) { onAnswer(Message(Array($0.readableBytesView))) }
        loop.resolve(Responder.Lookup(type: 1, variant: 0, isLocal: false), for: waiter)
    }
}

extension Message {
    fileprivate var isForDeadName: Bool {
        String(decoding: bytes.map { $0 | 0x20 }, as: UTF8.self).contains("dead")
    }
}
