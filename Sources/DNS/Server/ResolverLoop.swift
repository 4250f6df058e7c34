import Directory
import NIOCore
import NIOSSL

/// Everything that one event loop owns: its filter, cache and counters, and the questions it has on the way.
final class ResolverLoop {
    /// Bounds on what clients can make this loop hold.
    private static let mostExchanges = 1000
    private static let mostWaitersOfAClient = 250
    /// How long a failure is remembered (RFC 9520: at least a second).
    private static let failureLifetime = TimeAmount.seconds(2)

    let eventLoop: any EventLoop
    let configuration: Resolver.Configuration
    let responder: Responder
    private(set) var upstreams: Upstreams
    let connections: Connections
    /// Apart, so that a client that opens many of one kind leaves the other kind to the rest.
    let secureConnections: Connections
    /// The context of DNS over TLS; nil: not yet known.
    var tls: NIOSSLContext?
    /// Where replies of any size are written before they are copied into buffers of their own size.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: WireSize.message, alignment: 8)
    let datagrams = DatagramBatch()
    private(set) var hasFilter = false
    private var links: [Upstream: UpstreamLink] = [:]
    private(set) var exchanges: [LookupKey: Exchange] = [:]
    /// Questions that failed within `failureLifetime`, and how.
    private var failures: [LookupKey: (until: NIODeadline, how: Responder.Resolution)] = [:]
    private var ownByAddress: [ClientAddress: OwnAddresses] = [:]
    private var listenings: [SocketAddress: EndpointAddresses] = [:]
    private var home = HomeNetworks()
    let places: Places
    /// A server of the home may ask this server in turn, which is not known yet.
    var suspectsLoop: (() -> Void)?
    /// How many queries of each holder wait for upstreams.
    private var waiting: [ClientAddress: Int] = [:]
    var hasWaiters: Bool { !waiting.isEmpty }
    var hasConnections: Bool { connections.count + secureConnections.count > 0 }
    /// Open sockets to upstreams: an exchange with a place has at most one per address family.
    var sockets = 0
    private(set) var streams = 0
    /// Replies that wait for a gateway.
    var held: [(waiter: Exchange.Waiter, resolution: Responder.Resolution)] = []
    var holdEnd: Scheduled<Void>?

    init(
        _ configuration: Resolver.Configuration, served: ServedNames, upstreams: Upstreams,
        news: Responder.News, eventLoop: any EventLoop
    ) {
        self.eventLoop = eventLoop
        self.upstreams = upstreams
        self.configuration = configuration
        connections = Connections(most: configuration.bounds.connections)
        secureConnections = Connections(most: configuration.bounds.connections)
        places = Places(most: configuration.bounds.questions)
        responder = Responder(configuration, served: served, filter: .empty, news: news)
        responder.isReturned = { [unowned self] in isReturned(from: $0) }
    }

    deinit { scratch.deallocate() }

    /// The addresses of this machine that an endpoint's sockets on this loop answer with.
    func listening(_ address: SocketAddress) -> EndpointAddresses {
        if let known = listenings[address] { return known }
        let listening = EndpointAddresses()
        listenings[address] = listening
        return listening
    }

    /// The addresses of this machine for a client that reached one of its addresses on another port (DNS over HTTPS).
    func own(at address: SocketAddress?) -> OwnAddresses {
        guard let address, let client = ClientAddress(address) else { return OwnAddresses() }
        if let known = ownByAddress[client] { return known }
        let endpoint = Endpoint(address: address)
        return OwnAddresses(v4: endpoint.v4, v6: endpoint.v6)
    }

    func apply(_ filter: Filter) {
        hasFilter = true
        responder.apply(filter)
    }

    /// Takes over the servers and the names of another network. What was answered under the old names is forgotten.
    func follow(_ upstreams: Upstreams, _ served: ServedNames) {
        self.upstreams = upstreams
        failures.removeAll()
        responder.follow(served, hasLocalUpstream: !upstreams.home.isEmpty)
    }

    /// Takes over the machine's addresses and who is at home.
    func apply(endpoints: [Endpoint], home: HomeNetworks) {
        responder.apply(home)
        self.home = home
        ownByAddress.removeAll()
        for endpoint in endpoints {
            let own = OwnAddresses(v4: endpoint.v4, v6: endpoint.v6)
            listening(endpoint.address).own = own
            if let address = ClientAddress(endpoint.address) { ownByAddress[address] = own }
        }
        let bound = endpoints.compactMap { ClientAddress($0.address) }.filter { !$0.isUnspecified }
        responder.ownAddresses = Set(endpoints.flatMap { [$0.v4, $0.v6].compactMap { $0 } } + bound)
    }

    /// Resolves `lookup` for `waiter`: joins the exchange of the same question, or begins a new one.
    func resolve(_ lookup: Responder.Lookup, for waiter: Exchange.Waiter) {
        let name = waiter.question.name
        let key = LookupKey(name, lookup)
        if let failure = mustFail(key, lookup, waiter) { return answer(waiter, failure) }
        waiting[waiter.holder, default: 0] += 1
        if let exchange = exchanges[key] { return exchange.join(waiter) }
        responder.tally.metrics.forwarded += 1
        begin(key, lookup, name, for: waiter.holder) { $0.waiters.append(waiter) }
    }

    /// Whether a question for a name of the home comes from the home's own server, which asks here what it does not know
    /// itself. Another address with its hardware address is that server too.
    private func isReturned(from source: ClientAddress) -> Bool {
        let neighbours = responder.clients.neighbours
        let asking = upstreams.home.first { upstream in
            guard let address = upstream.server.fixed?.ip else { return false }
            return address == source || neighbours[source].map { $0 == neighbours[address] } ?? false
        }
        guard let asking else { return false }
        if asking.with({ $0.state == .looping }) { return true }
        suspectsLoop?()
        return false
    }

    /// Begins an exchange for a question that has none.
    func begin(
        _ key: LookupKey, _ lookup: Responder.Lookup, _ name: WireName, for holder: ClientAddress,
        _ enter: (Exchange) -> Void
    ) {
        let exchange = Exchange(
            lookup, name, self, from: lookup.isLocal ? upstreams.home : upstreams.world, for: holder,
            asksLooping: lookup.isLocal
        ) { [unowned self] in finish(key, $0) }
        enter(exchange)
        exchanges[key] = exchange
        exchange.start()
    }

    /// The result if waiting is no use: the question failed just now, a stale answer can replace a slow one, or too
    /// many questions are under way. Nil: wait.
    private func mustFail(
        _ key: LookupKey, _ lookup: Responder.Lookup, _ waiter: Exchange.Waiter
    ) -> Responder.Resolution? {
        // A forwarder asks for a whole home. Nobody else may have more waiting than there is room for exchanges.
        let most =
            configuration.forwarders.contains(waiter.asking.client)
            ? Self.mostExchanges : min(Self.mostWaitersOfAClient, Self.mostExchanges - exchanges.count)
        if waiting[waiter.holder, default: 0] >= most { return .failed }
        if let exchange = exchanges[key] {
            return exchange.isSlow && responder.hasStale(exchange.name, lookup, at: .now()) ? .failed : nil
        }
        return failure(key) ?? (exchanges.count >= Self.mostExchanges ? .failed : nil)
    }

    /// How the same question failed just now (RFC 9520); nil if it did not.
    func failure(_ key: LookupKey) -> Responder.Resolution? {
        guard let failure = failures[key] else { return nil }
        if failure.until > .now() { return failure.how }
        failures[key] = nil
        return nil
    }

    private func finish(_ key: LookupKey, _ resolution: Responder.Resolution) {
        guard let exchange = exchanges.removeValue(forKey: key) else { return }
        switch resolution {
        case .answer(let answer):
            responder.cache.store(answer, for: exchange.name, at: .now())
        case .failed, .failedThere:
            if failures.count >= Self.mostExchanges { failures.removeAll() }
            failures[key] = (.now() + Self.failureLifetime, resolution)
        }
        deliver(resolution, to: exchange.waiters)
        for done in exchange.ownWaiters { done(resolution) }
        handOver()
    }

    /// Hands over what was noted, unless a question still waits: its answer will be noted too, and both go together.
    func handOver() {
        if !hasWaiters { responder.handOver() }
    }

    /// Gives the waiters an expired answer, if there is one; the exchange goes on.
    func serveStale(_ exchange: Exchange) {
        guard responder.hasStale(exchange.name, exchange.lookup, at: .now()) else { return }
        let waiters = exchange.waiters
        exchange.waiters.removeAll()
        deliver(.failed, to: waiters)
    }

    private func deliver(_ resolution: Responder.Resolution, to waiters: [Exchange.Waiter]) {
        for waiter in waiters {
            let left = waiting[waiter.holder, default: 1] - 1
            waiting[waiter.holder] = left > 0 ? left : nil
            answer(waiter, resolution)
        }
    }

    /// The encrypted connections to an upstream; nil without `upstreamTLS`.
    func link(to upstream: Upstream) -> UpstreamLink? {
        if let known = links[upstream] { return known }
        guard let tls = configuration.upstreamTLS else { return nil }
        let link = UpstreamLink(
            upstream.server, configuration.linePatience,
            .init(
                loop: eventLoop, tls: tls,
                addresses: { [unowned self] name, done in
                    addresses(ofUpstream: name) { found, lifetime in
                        upstream.note(addresses: found)
                        done(found, lifetime)
                    }
                },
                heard: { upstream.with { $0.answered(at: .now()) } }))
        links[upstream] = link
        return link
    }

    func isPublic(_ upstream: Upstream) -> Bool { upstream.isPublic(beyond: home) }

    func takeStream() -> Bool {
        guard streams < configuration.bounds.streams else { return false }
        streams += 1
        return true
    }

    func streamClosed() { streams -= 1 }

    /// Ends every exchange; no client is answered.
    func stop() {
        holdEnd?.cancel()
        held.removeAll()
        places.stop()
        let ended = exchanges.values
        exchanges.removeAll()
        for exchange in ended {
            exchange.close()
            for done in exchange.ownWaiters { done(.failed) }
        }
        for link in links.values { link.close() }
        links.removeAll()
    }
}
