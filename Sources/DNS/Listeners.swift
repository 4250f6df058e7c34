import Logging
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The sockets that clients ask at: for every endpoint a UDP socket per event loop and a TCP listener.
actor Listeners {
    private let group: any EventLoopGroup
    private let loops: Loops
    private let logger: Logger
    private var channels: [SocketAddress: [any Channel]] = [:]

    init(group: any EventLoopGroup, loops: Loops, logger: Logger) {
        self.group = group
        self.loops = loops
        self.logger = logger
    }

    /// Binds what is new and closes what is absent. A port 0 is the kernel's choice, the same for UDP and TCP.
    /// - Returns: what could not be bound, and where the endpoints listen.
    func rebind(_ endpoints: [Endpoint]) async -> [Refusal] {
        let wanted = Set(endpoints.map(\.address))
        for (address, old) in channels where !wanted.contains(address) || !old.allSatisfy(\.isActive) {
            channels[address] = nil
            await close(old)
        }
        var refusals: [Refusal] = []
        for endpoint in endpoints where channels[endpoint.address] == nil {
            var bound: [any Channel] = []
            for transport in [Refusal.Transport.udp, .tcp] {
                do {
                    let address = bound.first?.localAddress ?? endpoint.address
                    bound +=
                        try await transport == .udp
                        ? datagrams(endpoint, address) : [stream(endpoint, address)]
                } catch {
                    refusals.append(refusal(endpoint.address, transport, error))
                }
            }
            channels[endpoint.address] = bound.isEmpty ? nil : bound
        }
        return refusals
    }

    /// Where an endpoint listens in fact.
    var localAddresses: [SocketAddress] { channels.values.compactMap { $0.first?.localAddress } }

    func stop() async {
        for old in channels.values { await close(old) }
        channels.removeAll()
    }

    private func close(_ channels: [any Channel]) async {
        for channel in channels { try? await channel.close() }
    }

    /// One socket per event loop. A first one without SO_REUSEPORT tells whether another program has the port.
    private func datagrams(_ endpoint: Endpoint, _ address: SocketAddress) async throws -> [any Channel] {
        let probe = try await DatagramBootstrap(group: group).bind(to: address).get()
        let actual = probe.localAddress ?? address
        try await probe.close()
        var bound: [any Channel] = []
        do {
            for loop in loops.all {
                let bootstrap = DatagramBootstrap(group: loop.eventLoop)
                    .channelOption(.socketOption(.init(rawValue: SO_REUSEPORT)), value: 1)
                    .channelOption(.datagramVectorReadMessageCount, value: 32)
                    .channelOption(
                        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 * 2048)
                    )
                    .channelOption(.socketOption(.so_rcvbuf), value: 1 << 20)
                    .channelOption(.writeBufferWaterMark, value: .init(low: 256 << 10, high: 1 << 20))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let handler = DatagramHandler(loop.value, loop.value.listening(endpoint.address))
                            try channel.pipeline.syncOperations.addHandler(handler)
                        }
                    }
                bound.append(try await bootstrap.bind(to: actual).get())
            }
        } catch {
            await close(bound)
            throw error
        }
        return bound
    }

    private func stream(_ endpoint: Endpoint, _ address: SocketAddress) async throws -> any Channel {
        try await ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 128)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [loops] channel in
                channel.eventLoop.makeCompletedFuture {
                    let loop = loops.of(channel.eventLoop)
                    let handler = StreamHandler(loop, loop.listening(endpoint.address))
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(to: address).get()
    }

    private func refusal(_ address: SocketAddress, _ transport: Refusal.Transport, _ error: any Error)
        -> Refusal
    {
        let reason: String =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE: "the port is taken by another program"
            case EACCES, EPERM: "this user may not open the port"
            case EADDRNOTAVAIL: "this machine does not have the address"
            default: "\(error)"
            }
        let place = "\(address.ipAddress ?? "") port \(address.port ?? 0)"
        logger.error("DNS cannot listen on \(place) over \(transport.rawValue): \(reason)")
        return Refusal(address: address, transport: transport, reason: reason)
    }
}
