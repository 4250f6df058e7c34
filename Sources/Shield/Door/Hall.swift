import Directory
import Logging
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// Receives accepted connections: adds the handlers of each, and runs the dashboard's tasks.
final class Hall: Sendable {
    struct Full: Error {}
    /// The client is not in the home.
    struct Outsider: Error {}

    /// A closure that a mutex holds by itself gets a wrapper more with every look at it, and each wrapper calls the next.
    private struct Gate {
        var admits: FrontDoor.AddressFilter
    }

    /// The dashboard's task for one connection.
    private struct Errand {
        var task: Task<Void, Never>
        var done: EventLoopFuture<Void>
    }

    let book: GuestBook
    let configuration: DoorConfiguration
    private let facts: ShieldFacts
    private let logger: Logger
    private let dashboard: FrontDoor.Dashboard
    let queries: FrontDoor.Queries?
    let mint: FrontDoor.Mint
    let tls = Mutex<NIOSSLContext?>(nil)
    private let admission = Mutex(Gate(admits: { _ in true }))
    private let turnedAway = Atomic<Int>(0)
    /// Whether bytes may have been relayed since the last collection.
    let isRelaying = Atomic(false)
    private let loops: [any EventLoop]
    let desks: [ObjectIdentifier: NIOLoopBoundBox<ShieldDesk>]
    private let errands = Mutex<[ObjectIdentifier: Errand]>([:])

    init(
        configuration: DoorConfiguration, facts: ShieldFacts, group: any EventLoopGroup, logger: Logger,
        queries: FrontDoor.Queries?, relay: RelayFacts?, mint: @escaping FrontDoor.Mint,
        dashboard: @escaping FrontDoor.Dashboard
    ) {
        self.configuration = configuration
        self.logger = logger
        self.facts = facts
        self.dashboard = dashboard
        self.queries = queries
        self.mint = mint
        book = GuestBook(limits: configuration.limits)
        let limits = configuration.limits
        let places = SharedAllowance<Holder>(all: limits.streams, each: limits.streamsPerHolder)
        let echoes = Echoes()
        loops = Array(group.makeIterator())
        var desks: [ObjectIdentifier: NIOLoopBoundBox<ShieldDesk>] = [:]
        for loop in loops {
            desks[ObjectIdentifier(loop)] = NIOLoopBoundBox.makeBoxSendingValue(
                ShieldDesk(
                    loop: loop, facts: facts, limits: limits, places: places, relay: relay,
                    echoes: echoes, proxies: configuration.proxies,
                    letPass: { [book] in book.letPass($0, at: loop.now) }),
                eventLoop: loop)
        }
        self.desks = desks
    }

    func changed(revision: Int) {
        for box in desks.values {
            box.eventLoop.execute { box.value.changed(revision: revision) }
        }
    }

    // MARK: - Receiving

    /// Nothing is read before it is known who has connected.
    func met(_ channel: any Channel) -> EventLoopFuture<Void> {
        let meet = channel.remoteAddress?.ipAddress.flatMap(facts.meet)
        guard let meet, isAtHome(channel) else { return channel.eventLoop.makeSucceededVoidFuture() }
        return channel.eventLoop.makeFutureWithTask { await meet() }
    }

    func receive(_ channel: any Channel) -> EventLoopFuture<Void> {
        met(channel).flatMapThrowing { [self] in
            guard isAtHome(channel) else { return try turnAway(channel) }
            let visit = try enter(channel)
            try channel.pipeline.syncOperations.addHandlers([
                PatienceHandler(visit: visit, limits: configuration.limits), reception(visit, .plain),
                PaceHandler(),
            ])
        }
    }

    /// DNS queries are answered only over TLS.
    func reception(_ visit: AcceptedConnection, _ kind: ConnectionKind) -> ReceptionHandler {
        let hosts = ReceptionHandler.Hosts(
            dashboard: { self.handOver($0, visit, kind, target: $1) },
            // On a TLS connection for an own name, another Host is misdirected.
            shield: kind == .secure ? nil : { try self.shield($0, visit) },
            relay: { kind == .secure ? nil : self.pass($0, visit, to: $1, port: 80, first: $2) },
            isQuery: { [queries] in kind == .secure && queries?.isTarget($0) ?? false },
            queries: { try self.serveQueries($0, visit) })
        return ReceptionHandler(
            ownNames: configuration.ownNames(), limits: configuration.limits, isProxy: visit.isProxy,
            hosts: hosts)
    }

    func admit(_ admits: @escaping FrontDoor.AddressFilter) { admission.withLock { $0.admits = admits } }

    private func isAtHome(_ channel: any Channel) -> Bool {
        guard let remote = channel.remoteAddress else { return false }
        let admits = admission.withLock { $0.admits }
        return admits(remote)
    }

    private func turnAway(_ channel: any Channel) throws {
        guard turnedAway.load(ordering: .relaxed) < TurnedAwayHandler.most else { throw Outsider() }
        turnedAway.add(1, ordering: .relaxed)
        channel.closeFuture.whenComplete { [self] _ in turnedAway.subtract(1, ordering: .relaxed) }
        try channel.pipeline.syncOperations.addHandler(TurnedAwayHandler())
    }

    func enter(_ channel: any Channel) throws -> AcceptedConnection {
        guard isAtHome(channel) else { throw Outsider() }
        let visit = AcceptedConnection(
            channel: channel, now: channel.eventLoop.now, proxies: configuration.proxies,
            holder: facts.holder)
        guard book.enter(visit) else { throw Full() }
        channel.closeFuture.whenComplete { [book] _ in book.leave(visit) }
        return visit
    }

    func shield(_ channel: any Channel, _ visit: AcceptedConnection, isSecure: Bool = false) throws {
        book.shield(visit, at: channel.eventLoop.now)
        let desk = desk(channel)
        let pipeline = channel.pipeline.syncOperations
        var decoding = NIOHTTPDecoderLimitConfiguration()
        decoding.maxHeaderFieldSize = configuration.limits.headBytes
        decoding.maxHeaderListSize = configuration.limits.headBytes
        try pipeline.configureHTTPServerPipeline(
            withEncoderConfiguration: .init(), withDecoderLimitConfiguration: decoding)
        try pipeline.addHandler(
            ShieldHandler(
                desk: desk, address: visit.address, holder: visit.holder, origin: origin(of: channel, visit),
                isSecure: isSecure))
    }

    /// Where the client of this connection reaches the server's own pages.
    private func origin(of channel: any Channel, _ visit: AcceptedConnection) -> String {
        let asked = visit.isProxy ? configuration.shownAddress() : nil
        let address =
            configuration.advertisedAddress ?? asked ?? channel.localAddress?.ipAddress ?? "localhost"
        let host = address.contains(":") ? "[\(address)]" : address
        return configuration.httpPort == 80 ? "http://\(host)" : "http://\(host):\(configuration.httpPort)"
    }

    /// A DNS client is a guest, so that strangers cannot displace it.
    private func serveQueries(_ channel: any Channel, _ visit: AcceptedConnection) throws {
        guard book.welcome(visit, at: channel.eventLoop.now) else { throw Full() }
        try queries?.serve(channel)
    }

    func handOver(
        _ channel: any Channel, _ visit: AcceptedConnection, _ kind: ConnectionKind, target: String
    ) -> EventLoopFuture<Void> {
        let isLeaving = configuration.waysOut.contains(String(target.prefix { $0 != "?" }))
        guard book.welcome(visit, isLeaving: isLeaving, at: channel.eventLoop.now) else {
            return channel.eventLoop.makeFailedFuture(Full())
        }
        return dashboard(channel, kind, logger).map { serve in self.run(serve, on: channel) }
    }

    private func run(_ serve: @escaping @Sendable () async -> Void, on channel: any Channel) {
        let id = ObjectIdentifier(channel)
        let done = channel.eventLoop.makePromise(of: Void.self)
        errands.withLock { errands in
            let task = Task {
                await serve()
                channel.close(promise: nil)
                self.errands.withLock { $0[id] = nil }
                done.succeed()
            }
            errands[id] = Errand(task: task, done: done.futureResult)
        }
    }

    func desk(_ channel: any Channel) -> ShieldDesk { desks[ObjectIdentifier(channel.eventLoop)]!.value }

    // MARK: - Closing

    /// Running answers may finish for half of `grace`; then they are cancelled, and in the end every visit is closed. Open
    /// streams without TLS are no visits, and were ended before.
    func close(within grace: TimeAmount) async {
        book.close()
        for visit in book.visits {
            visit.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
        }
        for box in desks.values {
            box.eventLoop.execute { box.value.end() }
        }
        let half = TimeAmount.nanoseconds(grace.nanoseconds / 2)
        await emptied(within: half)
        for errand in errands.withLock({ Array($0.values) }) { errand.task.cancel() }
        await emptied(within: half)
        for visit in book.visits { visit.channel.close(promise: nil) }
        await emptied(within: .milliseconds(200))
    }

    /// Returns when no connection is left, or when the time is over.
    private func emptied(within time: TimeAmount) async {
        let ends = book.visits.map(\.channel.closeFuture) + errands.withLock { $0.values.map(\.done) }
        guard !ends.isEmpty, let loop = loops.first else { return }
        let promise = loop.makePromise(of: Void.self)
        let isDone = NIOLoopBoundBox.makeBoxSendingValue(false, eventLoop: loop)
        let finish: @Sendable () -> Void = {
            if !isDone.value { promise.succeed() }
            isDone.value = true
        }
        let timer = loop.scheduleTask(in: time, finish)
        EventLoopFuture.andAllComplete(ends, on: loop).whenComplete { _ in finish() }
        try? await promise.futureResult.get()
        timer.cancel()
    }
}
