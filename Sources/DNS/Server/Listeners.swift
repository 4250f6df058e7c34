import Directory
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The sockets that clients use: for every endpoint a UDP socket per event loop and a TCP listener.
actor Listeners {
    private let group: any EventLoopGroup
    private let loops: Loops
    private let kept: KeptSockets
    private var bound: [SocketAddress: Bound] = [:]
    /// Listeners of DNS over TLS, apart, because their failure must not disturb the rest.
    private var secure: [SocketAddress: any Channel] = [:]

    /// The open sockets of an endpoint; either transport may have been refused.
    private struct Bound {
        var sockets: [NIOLoopBound<DatagramSocket>] = []
        var stream: (any Channel)?
        var address: SocketAddress?

        var hasStream: Bool { stream?.isActive ?? false }
    }

    init(group: any EventLoopGroup, loops: Loops, kept: KeptSockets) {
        self.group = group
        self.loops = loops
        self.kept = kept
    }

    /// Binds new endpoints, opens what is missing of known ones, and closes those that are not listed. For port 0 the
    /// kernel chooses a port, the same for UDP and TCP.
    /// - Returns: the sockets that could not be bound.
    func rebind(_ endpoints: [Endpoint]) async -> [RefusedEndpoint] {
        let wanted = Set(endpoints.map(\.address))
        for (address, old) in bound where !wanted.contains(address) {
            bound[address] = nil
            await close(old)
            if let actual = old.address {
                kept.forget(actual, .datagram)
                kept.forget(actual, .stream)
            }
        }
        var refusals: [RefusedEndpoint] = []
        for address in endpoints.map(\.address) {
            // Open sockets stay: questions wait in them.
            var endpoint = bound[address] ?? Bound()
            if endpoint.sockets.isEmpty {
                do { try await openDatagrams(address, &endpoint) } catch {
                    refusals.append(refusal(address, .udp, error))
                }
            }
            if !endpoint.hasStream {
                do { try await openStream(address, of: &endpoint) } catch {
                    refusals.append(refusal(address, .tcp, error))
                }
            }
            bound[address] = endpoint.address == nil ? nil : endpoint
        }
        return refusals + (await rebindSecure(endpoints))
    }

    private func openStream(_ address: SocketAddress, of endpoint: inout Bound) async throws {
        let stream = try await openStream(address, at: endpoint.address ?? address)
        endpoint.stream = stream
        endpoint.address = endpoint.address ?? stream.localAddress
    }

    private func rebindSecure(_ endpoints: [Endpoint]) async -> [RefusedEndpoint] {
        var wanted: [SocketAddress: SocketAddress] = [:]
        for endpoint in endpoints {
            var address = endpoint.address
            guard let port = endpoint.dotPort else { continue }
            address.port = port
            wanted[address] = endpoint.address
        }
        for (address, channel) in secure where wanted[address] == nil || !channel.isActive {
            secure[address] = nil
            try? await channel.close()
            if wanted[address] == nil { kept.forget(address, .stream) }
        }
        var refusals: [RefusedEndpoint] = []
        for (address, endpoint) in wanted where secure[address] == nil {
            do {
                secure[address] = try await openStream(endpoint, at: address, isSecure: true)
            } catch {
                refusals.append(refusal(address, .tls, error))
            }
        }
        return refusals.sorted { "\($0.address)" < "\($1.address)" }
    }

    var datagrams: [NIOLoopBound<DatagramSocket>] { bound.values.flatMap(\.sockets) }
    var streams: [any Channel] { bound.values.compactMap(\.stream) + secure.values }

    /// The actual addresses of DNS over TLS.
    var secureAddresses: [SocketAddress] { secure.values.compactMap(\.localAddress) }

    /// The actual addresses of the endpoints.
    var localAddresses: [SocketAddress] { bound.values.compactMap(\.address) }

    func stop() async {
        for old in bound.values { await close(old) }
        bound.removeAll()
        for channel in secure.values { try? await channel.close() }
        secure.removeAll()
    }

    private func close(_ old: Bound) async {
        await close(old.sockets)
        try? await old.stream?.close()
    }

    private func close(_ sockets: [NIOLoopBound<DatagramSocket>]) async {
        for socket in sockets {
            try? await socket.eventLoop.flatSubmit { socket.value.close() }.get()
        }
    }

    /// One socket per event loop, or as many as are kept: the kernel spreads the clients over all sockets, so those of
    /// an unread socket would get no answer.
    private func openDatagrams(_ address: SocketAddress, _ new: inout Bound) async throws {
        let known = kept.count(address, .datagram)
        let actual = known > 0 ? address : try await probe(address)
        do {
            for index in 0..<max(known, loops.all.count) {
                do {
                    new.sockets.append(try await openDatagram(address, at: actual, index))
                } catch  where index >= known && known > 0 {
                    break  // A socket unit without ReusePort= allows no other socket: fewer loops do.
                }
            }
            new.address = actual
        } catch {
            await close(new.sockets)
            new.sockets.removeAll()
            kept.forget(actual, .datagram)
            throw error
        }
    }

    private func openDatagram(
        _ endpoint: SocketAddress, at actual: SocketAddress, _ index: Int
    ) async throws -> NIOLoopBound<DatagramSocket> {
        let loop = loops.all[index % loops.all.count]
        let kept = kept
        return try await loop.eventLoop.flatSubmit {
            let socket = DatagramSocket(
                loop.value, loop.value.listening(endpoint), actual, kept, index: index)
            let bound = NIOLoopBound(socket, eventLoop: loop.eventLoop)
            return socket.open().map { bound }
        }.get()
    }

    /// Binds without SO_REUSEPORT, to learn whether another program has the port, and which port 0 became.
    private func probe(_ address: SocketAddress) async throws -> SocketAddress {
        let probe = try await DatagramBootstrap(group: group).bind(to: address).get()
        let actual = probe.localAddress ?? address
        try await probe.close()
        return actual
    }

    private func openStream(
        _ endpoint: SocketAddress, at address: SocketAddress, isSecure: Bool = false
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 128)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [loops] channel in
                Self.met(channel, loops).flatMapThrowing {
                    let loop = loops.of(channel.eventLoop)
                    let pipeline = channel.pipeline.syncOperations
                    if isSecure {
                        guard let tls = loop.tls else { throw ChannelError.operationUnsupported }
                        try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    }
                    try pipeline.addHandler(
                        StreamHandler(loop, loop.listening(endpoint), isSecure: isSecure))
                }
            }
        if let known = kept.take(address, .stream, 0) {
            do { return try await bootstrap.withBoundSocket(known).get() } catch {
                kept.forget(address, .stream)
            }
        }
        let channel = try await bootstrap.bind(to: address).get()
        let actual = channel.localAddress ?? address
        try? await channel.eventLoop.submit { [kept] in kept.keep(channel, actual, .stream) }.get()
        return channel
    }

    /// By its handshake the kernel has learned the hardware address of the client: nothing is read from it before
    /// this loop knows it too.
    private static func met(_ channel: any Channel, _ loops: Loops) -> EventLoopFuture<Void> {
        let loop = loops.of(channel.eventLoop)
        guard let client = channel.remoteAddress.flatMap({ ClientAddress($0) }),
            loop.responder.clients.misses(client)
        else { return channel.eventLoop.makeSucceededVoidFuture() }
        return channel.eventLoop.makeFutureWithTask { [meet = loop.configuration.meet] in await meet() }
    }

    private func refusal(_ address: SocketAddress, _ transport: RefusedEndpoint.Transport, _ error: any Error)
        -> RefusedEndpoint
    {
        let reason: String =
            switch (error as? IOError)?.errnoCode {
            case EADDRINUSE: "the port is taken by another program"
            case EACCES, EPERM:
                "not permitted (it needs root or CAP_NET_BIND_SERVICE; a container, --cap-add NET_BIND_SERVICE)"
            case EADDRNOTAVAIL: "this machine does not have the address"
            default: "\(error)"
            }
        return RefusedEndpoint(address: address, transport: transport, reason: reason)
    }
}
