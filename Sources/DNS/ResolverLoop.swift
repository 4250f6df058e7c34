import NIOCore

/// Everything that one event loop owns: its filter, cache and counters, and the questions it has on the way.
final class ResolverLoop {
    /// Bounds on what clients can make this loop hold.
    private static let mostExchanges = 1000
    private static let mostWaiters = 64
    private static let mostSockets = 160
    private static let mostStreams = 32
    /// How long a failure is remembered (RFC 9520: at least a second).
    private static let failureLifetime = TimeAmount.seconds(2)

    private struct Key: Hashable {
        let name: [UInt8]
        let type: UInt16
        let variant: UInt8

        init(_ name: WireName, _ lookup: Responder.Lookup) {
            self.name = [UInt8](UnsafeBufferPointer(start: name.bytes, count: name.length))
            type = lookup.type
            variant = lookup.variant
        }
    }

    let eventLoop: any EventLoop
    let configuration: Resolver.Configuration
    let responder: Responder
    let connections = ConnectionCount()
    private var publicUpstreams: Upstreams
    private var localUpstreams: Upstreams
    private var exchanges: [Key: Exchange] = [:]
    private var failures: [Key: NIODeadline] = [:]
    private var listenings: [SocketAddress: Listening] = [:]
    private var sockets = 0
    private var waitingForSocket: [() -> Void] = []
    private var streams = 0

    init(_ configuration: Resolver.Configuration, served: ServedNames, eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
        self.configuration = configuration
        responder = Responder(configuration, served: served, filter: .empty)
        publicUpstreams = Upstreams(configuration.upstreams)
        localUpstreams = Upstreams(configuration.localUpstreams)
    }

    /// What an endpoint's sockets on this loop answer with for this machine.
    func listening(_ address: SocketAddress) -> Listening {
        if let known = listenings[address] { return known }
        let listening = Listening()
        listenings[address] = listening
        return listening
    }

    /// Takes over the machine's addresses and networks.
    func apply(endpoints: [Endpoint], subnets: [AddressRange]) {
        responder.apply(subnets)
        for endpoint in endpoints {
            listening(endpoint.address).own = OwnAddresses(v4: endpoint.v4, v6: endpoint.v6)
        }
        let bound = endpoints.compactMap { ClientAddress($0.address) }.filter { !$0.isUnspecified }
        responder.ownAddresses = Set(endpoints.flatMap { [$0.v4, $0.v6].compactMap { $0 } } + bound)
    }

    /// Finds out what `lookup` asks, for `waiter`: with the others who ask the same, or by a new exchange.
    func resolve(_ lookup: Responder.Lookup, for waiter: Exchange.Waiter) {
        let key = Key(responder.name, lookup)
        if let exchange = exchanges[key] {
            if exchange.isSlow, responder.hasStale(responder.name, lookup, at: .now()) {
                return deliver(.failed, to: [waiter])
            }
            if exchange.waiters.count < Self.mostWaiters { exchange.waiters.append(waiter) }
            return
        }
        if let until = failures[key] {
            if until > .now() { return deliver(.failed, to: [waiter]) }
            failures[key] = nil
        }
        guard exchanges.count < Self.mostExchanges else { return deliver(.failed, to: [waiter]) }
        responder.tally.metrics.forwarded += 1
        let exchange = Exchange(lookup, responder.name.copy(), self) { [unowned self] in finish(key, $0) }
        exchange.waiters.append(waiter)
        exchanges[key] = exchange
        exchange.advance()
    }

    private func finish(_ key: Key, _ resolution: Responder.Resolution) {
        guard let exchange = exchanges.removeValue(forKey: key) else { return }
        switch resolution {
        case .answer(let answer):
            responder.cache.store(answer, for: exchange.name, at: .now())
        case .failed:
            if failures.count >= Self.mostExchanges { failures.removeAll() }
            failures[key] = .now() + Self.failureLifetime
        }
        deliver(resolution, to: exchange.waiters)
    }

    /// Gives those who wait an expired answer, when there is one, while the exchange goes on.
    func serveStale(_ exchange: Exchange) {
        guard responder.hasStale(exchange.name, exchange.lookup, at: .now()) else { return }
        let waiters = exchange.waiters
        exchange.waiters.removeAll()
        deliver(.failed, to: waiters)
    }

    /// Decides anew for each who waited: the filter may have changed meanwhile.
    private func deliver(_ resolution: Responder.Resolution, to waiters: [Exchange.Waiter]) {
        for waiter in waiters {
            let asking = Responder.Asking(
                client: waiter.client, endpoint: waiter.endpoint, isDatagram: waiter.isDatagram, now: .now())
            var buffer = ByteBuffer()
            let room = waiter.isDatagram ? WireSize.datagram : WireSize.message
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
                waiter.packet.withUnsafeBytes {
                    responder.respond($0, asking, into: target, resolution: resolution).1
                }
            }
            waiter.deliver(buffer)
        }
    }

    func upstreams(isLocal: Bool) -> Upstreams { isLocal ? localUpstreams : publicUpstreams }

    private func change(_ isLocal: Bool, _ change: (inout Upstreams) -> Void) {
        if isLocal { change(&localUpstreams) } else { change(&publicUpstreams) }
    }

    func suspect(_ index: Int, isLocal: Bool) { change(isLocal) { $0.suspect(index, at: .now()) } }
    func trust(_ index: Int, isLocal: Bool) { change(isLocal) { $0.trust(index) } }
    func avoidEDNS(_ index: Int, isLocal: Bool) { change(isLocal) { $0.avoidEDNS(index, at: .now()) } }

    func drop(_ upstream: SocketAddress) {
        publicUpstreams.drop(upstream)
        localUpstreams.drop(upstream)
    }

    func mayBePrivate(_ name: WireName) -> Bool { responder.served.kinds(of: name).contains(.mayBePrivate) }

    /// Calls `open` as soon as another upstream socket may be opened.
    func onFreeSocket(_ open: @escaping () -> Void) {
        guard sockets < Self.mostSockets else { return waitingForSocket.append(open) }
        sockets += 1
        open()
    }

    func socketClosed() {
        sockets -= 1
        guard !waitingForSocket.isEmpty else { return }
        sockets += 1
        waitingForSocket.removeFirst()()
    }

    func takeStream() -> Bool {
        guard streams < Self.mostStreams else { return false }
        streams += 1
        return true
    }

    func streamClosed() { streams -= 1 }

    /// Ends every exchange; nobody is answered.
    func stop() {
        for exchange in exchanges.values { exchange.close() }
        exchanges.removeAll()
    }
}

/// What one endpoint's sockets on one event loop answer with; changes when the machine's addresses do.
final class Listening {
    var own = OwnAddresses()
}
