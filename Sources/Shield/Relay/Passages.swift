import NIOCore
import NIOPosix
import Policy

/// The relayed connections of one event loop: opened for names that are open to the client, cut when they no longer
/// are. Everything here runs on that loop.
final class Passages {
    enum Failure: Error {
        /// The name has no host to which the relay may connect.
        case nowhere
        /// None of the name's hosts answers.
        case unreachable
        /// The name was blocked meanwhile, or the client has gone.
        case over
        /// There are too many relayed connections.
        case full
        /// This server itself sent it: a loop.
        case echo
    }

    /// The longest silence; a messenger's connection sends more often.
    static let idleTime = TimeAmount.minutes(20)
    private static let connectTime = TimeAmount.seconds(3)
    /// How long a host may take to receive what its client sent before it left.
    static let lastWords = TimeAmount.seconds(30)
    /// How many of a name's hosts are tried.
    private static let attempts = 4
    /// A bound on memory in case nothing collects.
    private static let endedKept = 4096

    private let loop: any EventLoop
    private let verdict: (_ address: String, _ name: String) -> NameVerdict
    /// Whether there is room for one more.
    private let letPass: (AcceptedConnection) -> Bool
    private let facts: RelayFacts
    private let echoes: Echoes
    private var open: [ObjectIdentifier: Passage] = [:]
    /// From connections that ended since the last collection.
    private var ended: [RelayedBytes] = []
    private var sweep: RepeatedTask?
    /// Made for the first connection that is busy.
    private var splice: Splice?

    init(
        loop: any EventLoop, facts: RelayFacts, echoes: Echoes,
        verdict: @escaping (_ address: String, _ name: String) -> NameVerdict,
        letPass: @escaping (AcceptedConnection) -> Bool
    ) {
        self.loop = loop
        self.facts = facts
        self.echoes = echoes
        self.verdict = verdict
        self.letPass = letPass
    }

    func admits(_ address: String, to name: String) -> Bool {
        facts.mayPass(address) && isOpen(address, name)
    }

    /// Connects a client with the host that it named; nothing is read from the client until then.
    ///
    /// When the future is done, bytes fired into the client's pipeline go to that host.
    /// - Parameter first: the bytes received so far.
    func pass(_ visit: AcceptedConnection, to name: String, port: Int, first: ByteBuffer) -> EventLoopFuture<
        Void
    > {
        let near = visit.channel
        guard let echo = echoes.begin(name, port, first) else {
            return loop.makeFailedFuture(Failure.echo)
        }
        guard letPass(visit) else { return loop.makeFailedFuture(Failure.full) }
        do { try near.syncOptions?.setOption(.autoRead, value: false) } catch {
            return loop.makeFailedFuture(error)
        }
        let found = loop.makePromise(of: [SocketAddress].self)
        found.completeWithTask { [facts] in await facts.destinations(name, port) }
        return found.futureResult.assumeIsolated()
            .flatMap { hosts in self.connect(hosts.prefix(Self.attempts)) }
            .flatMapThrowing { far in try self.join(visit, to: far, name, echo) }
            .nonisolated()
    }

    private func connect(_ hosts: ArraySlice<SocketAddress>) -> EventLoopFuture<any Channel> {
        guard let host = hosts.first else { return loop.makeFailedFuture(Failure.nowhere) }
        let attempt = ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .connect(to: host)
        return attempt.assumeIsolated().flatMapError { _ in
            hosts.count == 1
                ? self.loop.makeFailedFuture(Failure.unreachable) : self.connect(hosts.dropFirst())
        }.nonisolated()
    }

    private func join(_ visit: AcceptedConnection, to far: any Channel, _ name: String, _ echo: Echo) throws {
        let near = visit.channel
        let verdict = verdict(visit.address, name)
        guard near.isActive, verdict.block == nil else {
            far.close(promise: nil)
            throw Failure.over
        }
        let passage = Passage(visit, name: name, verdict: verdict, near: near, far: far, echo: echo)
        let halves = RelayHandler.pair(passage) { [self] in
            splice = splice ?? Splice()
            return splice
        }
        try far.pipeline.syncOperations.addHandler(halves.far)
        try near.pipeline.syncOperations.addHandler(halves.near)
        // From here on, silence is normal, and so is much at once.
        try near.syncOptions?.setOption(.maxMessagesPerRead, value: 4)
        try near.syncOptions?.setOption(.recvAllocator, value: AdaptiveRecvByteBufferAllocator())
        let pipeline = near.pipeline.syncOperations
        let pace = try? pipeline.context(handlerType: PaceHandler.self)
        for handler in [try? pipeline.context(handlerType: PatienceHandler.self), pace].compactMap(\.self) {
            pipeline.removeHandler(context: handler, promise: nil)
        }
        let id = ObjectIdentifier(passage)
        open[id] = passage
        near.closeFuture.assumeIsolated().whenComplete { _ in
            self.forget(id)
            self.hurry(far)
        }
        startSweeping()
        // After the caller has released the bytes that it holds.
        loop.assumeIsolated().execute {
            for channel in [near, far] { try? channel.syncOptions?.setOption(.autoRead, value: true) }
        }
    }

    var areOpen: Bool { !open.isEmpty }

    /// The bytes moved since the last collection, by client and app; names without an app are left out.
    func collect() -> [RelayedBytes] {
        let moved = open.values.compactMap { $0.takeMoved() } + ended
        ended = []
        return moved
    }

    /// A host whose client has gone is no longer counted, so it must not hold a socket for long while it reads nothing.
    func hurry(_ far: any Channel) {
        guard far.isActive else { return }
        let end = loop.assumeIsolated().scheduleTask(in: Self.lastWords) { far.close(promise: nil) }
        far.closeFuture.assumeIsolated().whenComplete { _ in end.cancel() }
    }

    private func forget(_ id: ObjectIdentifier) {
        if let moved = open.removeValue(forKey: id)?.takeMoved(), ended.count < Self.endedKept {
            ended.append(moved)
        }
        guard open.isEmpty else { return }
        sweep?.cancel()
        sweep = nil
    }

    /// Cuts connections to names that are no longer open, and connections whose device no longer has the address:
    /// another device there may have other rules, and the minutes would count for nobody.
    func changed() {
        var known: [String: NameVerdict] = [:]
        for passage in open.values {
            let key = "\(passage.address) \(passage.name)"
            let now = known[key] ?? verdict(passage.address, passage.name)
            known[key] = now
            if now.block != nil || now.device != passage.device { passage.cut() }
        }
    }

    func end() {
        for passage in open.values { passage.close() }
    }

    private func isOpen(_ address: String, _ name: String) -> Bool { verdict(address, name).block == nil }

    private func startSweeping() {
        guard sweep == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        sweep = loop.scheduleRepeatedTask(initialDelay: .minutes(1), delay: .minutes(1)) { _ in
            let passages = bound.value
            for passage in passages.open.values where passage.idle(at: passages.loop.now) > Self.idleTime {
                passage.close()
            }
        }
    }
}
