import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import DNS

/// One device that floods costs nobody else anything, whatever addresses it gives itself.
@Suite(.timeLimit(.minutes(1))) struct SharesTests {
    private static let hardware = HardwareAddress("02:00:00:00:00:66")!

    @Test func aDeviceIsCountedByItsHardwareAddressElseByItsNetwork() async throws {
        let asked = Mutex<[Bool]>([])
        var configuration = DNS.Resolver.Configuration(upstreams: [])
        configuration.hardware = { address, anew in
            asked.withLock { $0.append(anew) }
            return ["fd00::1", "192.168.1.5"].contains(address.text) && anew || address.text == "fd00::2"
                ? Self.hardware : nil
        }
        let loops = Loops(configuration, House.oneLoop)
        let holders = await loops.ask { loop in
            let connected = ["fd00::1", "192.168.1.5", "fd00::2"].map {
                loop.holder(of: ClientAddress($0)!, isConnected: true)
            }
            return connected
                + ["fd00::1", "fd00::3", "fd01::1", "192.168.1.5"].map { loop.holder(of: ClientAddress($0)!) }
        }.first
        let device = ClientAddress(Self.hardware)
        let network = ClientAddress("fd00::")!
        #expect(
            holders == [
                device, device, device, network, network, ClientAddress("fd01::")!,
                ClientAddress("192.168.1.5")!,
            ])
        // The kernel's table is read anew only for who is not in the one that is kept.
        #expect(asked.withLock { $0 }.count { $0 } == 2)
    }

    /// Names whose servers are silent, asked for from many addresses of one device; and a name that it asked for as well,
    /// which nobody else has to wait for either.
    @Test func deadNamesOfOneDeviceCostOthersNothing() async throws {
        let upstream = try await FakeUpstream(House.group) { received in
            guard !Message(received.query).isForDeadName else { return }
            received.reply([Message.a("93.184.216.34", ttl: 60)])
        }
        var configuration = DNS.Resolver.Configuration(upstreams: [UpstreamServer(upstream.address)])
        configuration.upstreamPatience = [.seconds(20)]
        configuration.hardware = { address, _ in address.isV4 ? nil : Self.hardware }
        let loops = Loops(configuration, House.oneLoop)
        let (answers, report) = AsyncStream.makeStream(of: String.self)
        let start = ContinuousClock.now
        _ = await loops.ask { loop in
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
        #expect(upstream.queries.count { Message($0).isForDeadName } <= Places.most / 2)
        _ = await loops.ask { $0.stop() }
        await upstream.stop()
    }

    private static func ask(
        _ text: String, _ client: ClientAddress, _ loop: ResolverLoop,
        _ onAnswer: @escaping @Sendable (Message) -> Void
    ) {
        guard loop.responder.name.read(text) else { return }
        let waiter = Exchange.Waiter(
            packet: Message.query(text), client: client, holder: loop.holder(of: client),
            endpoint: OwnAddresses(), isDatagram: true
        ) { onAnswer(Message(Array($0.readableBytesView))) }
        loop.resolve(Responder.Lookup(type: 1, variant: 0, isLocal: false), for: waiter)
    }
}

extension Message {
    fileprivate var isForDeadName: Bool {
        String(decoding: bytes.map { $0 | 0x20 }, as: UTF8.self).contains("dead")
    }
}
