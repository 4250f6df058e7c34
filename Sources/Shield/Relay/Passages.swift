import NIOCore
import NIOPosix
import Policy

/// The relayed connections of one event loop: opened for names that are open to who asks, cut when they are not any
/// more. Everything here runs on that loop.
final class Passages {
    enum Failure: Error {
        /// The name leads nowhere that a relay may go to.
        case nowhere
        /// None of its hosts answers.
        case unreachable
        /// The name was blocked meanwhile, or the client has gone.
        case over
        /// Too many pass already.
        case full
        /// It was sent by this server itself.
        case echo
    }

    /// Nothing moved for so long; a messenger's connection speaks more often.
    static let idleTime = TimeAmount.minutes(20)
    private static let connectTime = TimeAmount.seconds(3)
    /// How long a host may take for what its client sent before it went.
    static let lastWords = TimeAmount.seconds(30)
    /// Of a name's hosts so many are tried.
    private static let attempts = 4
    /// A bound on memory where nobody asks.
    private static let endedKept = 4096

    private let loop: any EventLoop
    private let verdict: (_ address: String, _ name: String) -> NameVerdict
    /// Whether there is room for one more.
    private let letPass: (Visit) -> Bool
    private let facts: RelayFacts
    private let echoes: Echoes
    private var open: [ObjectIdentifier: Passage] = [:]
    /// Of connections that ended since it was last asked for.
    private var ended: [RelayedBytes] = []
    private var sweep: RepeatedTask?

    init(
        loop: any EventLoop, facts: RelayFacts, echoes: Echoes,
        verdict: @escaping (_ address: String, _ name: String) -> NameVerdict,
        letPass: @escaping (Visit) -> Bool
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

    /// Connects a visitor with the host that it named; nothing is read from it until then.
    ///
    /// When the future is done, whatever is fired into the visitor's pipeline goes to that host.
    /// - Parameter first: what it has said so far.
    func pass(_ visit: Visit, to name: String, port: Int, first: ByteBuffer) -> EventLoopFuture<Void> {
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

    private func join(_ visit: Visit, to far: any Channel, _ name: String, _ echo: Echo) throws {
        let near = visit.channel
        let verdict = verdict(visit.address, name)
        guard near.isActive, verdict.block == nil else {
            far.close(promise: nil)
            throw Failure.over
        }
        let passage = Passage(visit, name: name, verdict: verdict, near: near, far: far, echo: echo)
        let halves = RelayHandler.pair(passage)
        try far.pipeline.syncOperations.addHandler(halves.far)
        try near.pipeline.syncOperations.addHandler(halves.near)
        // From here on silence is nothing amiss.
        if let patience = try? near.pipeline.syncOperations.context(handlerType: PatienceHandler.self) {
            near.pipeline.syncOperations.removeHandler(context: patience, promise: nil)
        }
        let id = ObjectIdentifier(passage)
        open[id] = passage
        near.closeFuture.assumeIsolated().whenComplete { _ in
            self.forget(id)
            self.hurry(far)
        }
        startSweeping()
        // Once whoever called has let go of the bytes that it holds.
        loop.assumeIsolated().execute {
            for channel in [near, far] { try? channel.syncOptions?.setOption(.autoRead, value: true) }
        }
    }

    /// What moved since it was last asked for, by client and app; names of no app are left out.
    func collect() -> [RelayedBytes] {
        let moved = open.values.compactMap { $0.takeMoved() } + ended
        ended = []
        return moved
    }

    /// Nobody counts a host without a client any more: it must not hold a socket for as long as it reads nothing.
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

    /// Cuts what leads to names that are not open any more, and what was opened by a device that has the address no more:
    /// whoever is there now, or nobody, may have other rules, and its minutes would be counted for nobody.
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
