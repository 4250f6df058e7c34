package import Directory
import Glibc
package import Logging
package import NIOCore
package import NIOHPACK
import NIOPosix
package import NIOSSL

/// Owns the sockets of HTTP and HTTPS. Own names go to the dashboard; all others get the shield or a TLS alert.
package actor FrontDoor {
    /// Adds the dashboard's handlers to a connection and returns what then serves it until it ends.
    package typealias Dashboard =
        @Sendable (any Channel, ConnectionKind, Logger) -> EventLoopFuture<@Sendable () async -> Void>

    /// DNS over HTTPS, which the DNS module serves.
    package struct Queries: Sendable {
        /// Whether a request target is for a DNS query.
        package var isTarget: @Sendable (String) -> Bool
        /// Adds the handlers of queries to an HTTP/1.1 connection.
        package var serve: @Sendable (any Channel) throws -> Void
        /// Adds the handler of queries to an HTTP/2 connection; it answers those whose heads are admitted.
        package var serveStreams:
            @Sendable (any Channel, _ admits: @escaping (HPACKHeaders) -> Bool) throws -> Void

        package init(
            isTarget: @escaping @Sendable (String) -> Bool,
            serve: @escaping @Sendable (any Channel) throws -> Void,
            serveStreams: @escaping @Sendable (any Channel, @escaping (HPACKHeaders) -> Bool) throws -> Void
        ) {
            self.isTarget = isTarget
            self.serve = serve
            self.serveStreams = serveStreams
        }
    }

    /// The TLS context for a blocked name, with a leaf that the device at an address trusts; nil if there is none.
    package typealias Mint = @Sendable (_ address: String, _ name: String) -> NIOSSLContext?

    /// Whether connections from an address are admitted.
    package typealias AddressFilter = @Sendable (SocketAddress) -> Bool

    /// The result for every address to listen on.
    package struct Opening: Sendable {
        package var opened: [SocketAddress] = []
        package var refused: [RefusedBind] = []
    }

    /// One socket to listen on.
    private struct Door: Hashable {
        let address: String
        let port: Int
        let isTLS: Bool
        /// With the index of its interface, which is another when the interface comes back; nil: it is not there.
        let socket: SocketAddress?

        init(_ address: String, _ port: Int, isTLS: Bool) {
            (self.address, self.port, self.isTLS) = (address, port, isTLS)
            socket = try? SocketAddress(ipAddress: address, port: port)
        }
    }

    private let configuration: DoorConfiguration
    private let group: any EventLoopGroup
    private let hall: Hall
    private let kept: KeptListeners
    private var listeners: [Door: any Channel] = [:]
    private var isStopped = false

    package init(
        configuration: DoorConfiguration, facts: ShieldFacts, eventLoopGroup: any EventLoopGroup,
        logger: Logger, queries: Queries? = nil, relay: RelayFacts? = nil,
        mint: @escaping Mint = { _, _ in nil }, kept: KeptListeners = .none,
        dashboard: @escaping Dashboard
    ) {
        self.configuration = configuration
        self.kept = kept
        group = eventLoopGroup
        hall = Hall(
            configuration: configuration, facts: facts, group: eventLoopGroup, logger: logger,
            queries: queries, relay: relay, mint: mint, dashboard: dashboard)
    }

    /// Sets the TLS context for own names from now on. Before that, they get the alert too.
    nonisolated package func present(_ context: NIOSSLContext) { hall.present(context) }

    /// Listens on every address (canonical text, `%zone` allowed) and returns those that failed. A connection that
    /// `admits` refuses is told why over HTTP and closed.
    package func start(addresses: [String], admits: @escaping AddressFilter = { _ in true }) async -> Opening
    {
        await rebind(addresses: addresses, admits: admits)
    }

    /// From now on listens on exactly these addresses; accepted connections stay open.
    ///
    /// Must not be called twice at the same time.
    package func rebind(addresses: [String], admits: @escaping AddressFilter = { _ in true }) async -> Opening
    {
        hall.admit(admits)
        var wanted: [Door] = []
        for address in addresses {
            wanted.append(Door(address, configuration.httpPort, isTLS: false))
            if let port = configuration.httpsPort {
                wanted.append(Door(address, port, isTLS: true))
            }
        }
        for (door, channel) in listeners where !wanted.contains(door) {
            listeners[door] = nil
            let address = channel.localAddress
            try? await channel.close()
            if let address, !isStopped { kept.forget(address) }
        }
        var opening = Opening()
        for door in wanted where !isStopped {
            do {
                let channel = if let open = listeners[door] { open } else { try await bind(door) }
                // It was told to stop while it opened this one.
                if isStopped {
                    try? await channel.close()
                    break
                }
                listeners[door] = channel
                if let address = channel.localAddress { opening.opened.append(address) }
            } catch {
                opening.refused.append(RefusedBind(address: door.address, port: door.port, error: error))
            }
        }
        return opening
    }

    /// Without SO_REUSEPORT: a port that another program uses is refused, not shared.
    private func bind(_ door: Door) async throws -> any Channel {
        let hall = hall
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            // Accepts many at a time: with four, as is usual, a crowd's requests are read before others are let in, and the
            // queue overflows.
            .serverChannelOption(.maxMessagesPerRead, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            // Little at a time of each connection, so that the loop soon comes to the others, and to DNS.
            .childChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 8192))
            .childChannelInitializer { channel in
                door.isTLS ? hall.receiveTLS(channel) : hall.receive(channel)
            }
        guard let address = door.socket else { throw IOError(errnoCode: EADDRNOTAVAIL, reason: door.address) }
        if let known = kept.take(address) {
            do { return try await bootstrap.withBoundSocket(known).get() } catch { kept.forget(address) }
        }
        return try await kept.keeping(bound(bootstrap, to: address))
    }

    private func bound(_ bootstrap: ServerBootstrap, to address: SocketAddress) async throws -> any Channel {
        if address.protocol == .inet6 {
            let onlySixth = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)
            return try await bootstrap.serverChannelOption(onlySixth, value: 1).bind(to: address).get()
        }
        return try await bootstrap.bind(to: address).get()
    }

    /// Tells every open shield page that verdicts may have changed. Cheap; callable from any thread.
    nonisolated package func changed(revision: Int) {
        hall.changed(revision: revision)
    }

    /// Whether anything may have been relayed since the last call of `collectRelayed`.
    nonisolated package var isRelaying: Bool { hall.mayHaveRelayed }

    /// What was relayed since the last call. Only one caller may collect, or each gets a part.
    nonisolated package func collectRelayed() async -> [RelayedBytes] { await hall.collectRelayed() }

    nonisolated package var connections: GuestBook.Count { hall.book.count }

    /// Accepts nothing more, lets running answers finish for half of `grace`, cancels them, and closes what is left.
    package func stop(within grace: TimeAmount) async {
        isStopped = true
        _ = await rebind(addresses: [])
        // A connection that was accepted just now is about to send its request.
        if !hall.book.visits.isEmpty { try? await Task.sleep(for: .milliseconds(50)) }
        await hall.close(within: grace)
    }
}
