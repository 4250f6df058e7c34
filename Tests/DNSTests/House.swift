import Directory
import Logging
import NIOCore
import NIOPosix

@testable import DNS

extension DNS.Resolver.Configuration {
    init(upstreams: [UpstreamServer]) {
        self.init(.init(upstreams: upstreams, ownNames: OwnNames(name: "sleep.home.arpa")))
    }
}

/// A resolver on loopback with its upstreams, for one test.
struct House: Sendable {
    static let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
    static let oneLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    static let silence = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    static let me = ClientAddress("127.0.0.1")!

    let resolver: DNS.Resolver
    /// The address where it listens.
    let address: SocketAddress
    /// The address where it was told to listen.
    let endpoint: SocketAddress
    /// The address of its DNS over TLS, with the kernel's port.
    let secureAddress: SocketAddress
    private let upstreams: [FakeUpstream]

    /// - Parameters:
    ///   - upstreams: addresses to ask besides `fakes`, before them.
    ///   - loops: event loops of the resolver; with one, everything is in one cache.
    static func open(
        _ fakes: [FakeUpstream], before upstreams: [UpstreamServer] = [], filter: Filter = .empty,
        port: Int = 0, loops: Int = 1, servesTLS: Bool = false, presents: Bool = true,
        _ change: (inout DNS.Resolver.Configuration) -> Void = { _ in }
    ) async throws -> House {
        var configuration = DNS.Resolver.Configuration(
            upstreams: upstreams + fakes.map { UpstreamServer($0.address) })
        configuration.upstreamPatience = [.seconds(20)]
        change(&configuration)
        for _ in 0..<10 {
            // A resolver that does not start has asked its upstreams already, and tests count questions.
            let free = try await freeAddress().port ?? 0
            var endpoint = Endpoint(
                address: try SocketAddress(ipAddress: "127.0.0.1", port: port == 0 ? free : port))
            endpoint.dotPort = servesTLS ? 0 : nil
            let resolver = DNS.Resolver(
                configuration: configuration, eventLoopGroup: loops == 1 ? oneLoop : group, logger: silence)
            if servesTLS && presents {
                resolver.present(
                    try TestAuthority.shared.server(names: ["sleep.home.arpa"], protocols: ["dot"]))
            }
            let refusals = await resolver.start(filter: filter, endpoints: [endpoint])
            if refusals.isEmpty, let address = await resolver.localAddresses.first {
                return House(
                    resolver: resolver, address: address, endpoint: endpoint.address,
                    secureAddress: await resolver.secureAddresses.first ?? address, upstreams: fakes)
            }
            // Another program may have taken the port.
            await resolver.stop()
        }
        throw Client.Silence()
    }

    /// An address on loopback with a port that is free for UDP and for TCP at the moment.
    static func freeAddress(_ host: String = "127.0.0.1") async throws -> SocketAddress {
        while true {
            let channel = try await DatagramBootstrap(group: group).bind(host: host, port: 0).get()
            let address = try SocketAddress(ipAddress: host, port: channel.localAddress?.port ?? 0)
            let listener = try? await ServerBootstrap(group: group).bind(to: address).get()
            try await listener?.close()
            try await channel.close()
            if listener != nil { return address }
        }
    }

    func ask(
        _ name: String, _ type: UInt16 = 1, edns: UInt16? = 1232, id: UInt16 = 7
    ) async throws -> Message? {
        try await exchange([Message.query(name, type, id: id, edns: edns)]).first
    }

    func exchange(_ packets: [[UInt8]]) async throws -> [Message] {
        try await Client.connect(Self.group, to: address).exchange(packets)
    }

    /// A connection that carries packets behind their length.
    func connect(_ transport: Transport) async throws -> Client {
        let isSecure = transport == .tls
        return try await Client.connect(
            Self.group, to: isSecure ? secureAddress : address, overTCP: transport != .udp,
            overTLS: isSecure)
    }

    enum Transport: CaseIterable, Sendable { case udp, tcp, tls }

    func close() async {
        await resolver.stop()
        for upstream in upstreams { await upstream.stop() }
    }
}
