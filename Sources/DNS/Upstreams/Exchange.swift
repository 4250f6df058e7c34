import Directory
import NIOCore
import NIOPosix

/// One question to upstreams: asks them one after the other until one answers or five seconds are over, with three more
/// if an answer must be fetched over TCP.
///
/// Its deadline runs as long as it lives, also while it waits for a place, so that it always ends.
///
/// Lives on one event loop. Every exchange has its own sockets, so that every question leaves from another port.
final class Exchange {
    let name: WireName
    let lookup: Responder.Lookup
    var waiters: [Waiter] = []
    /// Callbacks of this server's own look-ups.
    var ownWaiters: [(Responder.Resolution) -> Void] = []
    let loop: ResolverLoop
    private let upstreams: [Upstream]
    private let patience: [TimeAmount]
    let isProbe: Bool
    private let asksLooping: Bool
    private var order: [Upstream] = []
    private(set) var place: Places.Seat?
    var attempts: [Attempt] = []
    var failed: Set<Upstream> = []
    /// A reply that differs in case only: forged, or from an upstream that changes case.
    var recased: (attempt: Attempt, reply: ByteBuffer)?
    /// The result if no upstream has a full answer.
    var fallback = Responder.Resolution.failed
    /// When all patience is over.
    private var deadline: Scheduled<Void>?
    /// When the wait for the latest attempt, or for the stream, is over.
    private var timer: Scheduled<Void>?
    private var waits = 0
    /// The latest attempt: its upstream, when it was sent, and until when to wait for it.
    private var turn: (upstream: Upstream, sent: NIODeadline, until: NIODeadline)?
    private var sockets: [NIOBSDSocket.ProtocolFamily: UpstreamSocket] = [:]
    var stream: UpstreamStream?
    /// Upstreams that were asked over TCP.
    var streamed: Set<Upstream> = []
    /// Questions over encrypted connections, by upstream.
    private var questions: [Upstream: LineQuestion] = [:]
    private var tries = 0
    /// Two attempts have gone unanswered.
    var isSlow: Bool { tries > 2 }
    var isOver = false
    private let onEnd: (Responder.Resolution) -> Void

    /// - Parameters:
    ///   - upstreams: the upstreams that it may ask, in the order of the configuration.
    ///   - holder: whose place it takes; nil: it needs none.
    ///   - patience: for each attempt; nil: as configured.
    ///   - asksLooping: asks also upstreams that loop.
    ///   - isProbe: asks upstreams also while they back off or loop, and holds silence or failure against none of them.
    init(
        _ lookup: Responder.Lookup, _ name: WireName, _ loop: ResolverLoop, from upstreams: [Upstream],
        for holder: ClientAddress? = nil, patience: [TimeAmount]? = nil, asksLooping: Bool = false,
        isProbe: Bool = false, onEnd: @escaping (Responder.Resolution) -> Void
    ) {
        self.lookup = lookup
        self.name = name
        self.loop = loop
        self.upstreams = upstreams
        self.patience = patience ?? loop.configuration.upstreamPatience
        self.isProbe = isProbe
        self.asksLooping = asksLooping
        self.onEnd = onEnd
        place = holder.map { Places.Seat($0) { [unowned self] in begin() } }
    }

    func start() {
        let most = patience.reduce(loop.configuration.streamPatience, +)
        deadline = loop.eventLoop.assumeIsolated().scheduleTask(in: most) { [self] in end(fallback) }
        if let place { loop.places.enter(place) } else { begin() }
    }

    private func begin() {
        order = isProbe ? upstreams : upstreams.inOrder(at: .now(), evenLooping: asksLooping)
        advance()
        if !isOver, !isProbe, let other = order.otherWhileFirstIsSlow(at: .now()) { ask(other) }
    }

    /// Makes the next attempt, or gives up when there is none.
    private func advance() {
        timer?.cancel()
        guard !isOver else { return }
        guard tries < patience.count, let upstream = nextUpstream() else {
            return end(fallback)
        }
        if tries == 2 { loop.serveStale(self) }
        let now = NIODeadline.now()
        turn = (upstream, now, now + patience[tries])
        tries += 1
        waitForReply()
        ask(upstream)
    }

    /// Waits for the latest attempt as long as its turn lasts; goes on at once if that is over.
    func waitForReply() {
        guard let turn else { return }
        wait(until: turn.until) { [self] in
            if let recased { return askOverStream(recased.attempt, recased.reply) }
            wasSilent(turn.upstream, sinceAsked: turn.sent)
            if case .answer = fallback { return end(fallback) }
            advance()
            askSimply(turn.upstream)
        }
    }

    /// Calls `then` at an instant, unless another wait has begun by then.
    func wait(until instant: NIODeadline, then: @escaping () -> Void) {
        timer?.cancel()
        waits += 1
        timer = loop.eventLoop.assumeIsolated().scheduleTask(deadline: instant) { [self, waits] in
            // A cancelled timer still runs if it was due in the same moment.
            if !isOver && waits == self.waits { then() }
        }
    }

    private func nextUpstream() -> Upstream? {
        let left = order.filter { !failed.contains($0) }
        return left.isEmpty ? nil : left[tries % left.count]
    }

    /// - Parameter simply: without EDNS, in any case.
    private func ask(_ upstream: Upstream, simply: Bool = false) {
        let (knowsEDNS, changesCase) = upstream.with { ($0.knowsEDNS(at: .now()), $0.changesCase) }
        let attempt = Attempt(
            upstream, name, type: lookup.type, variant: lookup.variant,
            // A probe looks whether it knows EDNS by now.
            usesEDNS: !simply && !upstream.isSimple && (isProbe || knowsEDNS), mixesCase: !changesCase)
        attempts.append(attempt)
        guard upstream.server.isPlain else { return askOverLink(attempt) }
        guard let address = upstream.server.address else { return fail(attempt) }
        let family = address.protocol
        let socket = sockets[family] ?? UpstreamSocket(family, loop) { [self] in receive($0, from: $1) }
        sockets[family] = socket
        socket.send(attempt, to: address) { [self] in
            // A socket that could not send is closed by now.
            sockets.removeValue(forKey: family)?.close()
            fail(attempt)
        }
    }

    /// Asks an upstream that was silent without EDNS too: some drop every question with it. Nothing gets lost over an
    /// encrypted connection.
    private func askSimply(_ upstream: Upstream) {
        guard !isOver, upstream.server.isPlain, wasAskedWithEDNS(upstream) else { return }
        ask(upstream, simply: true)
    }

    func wasAskedWithEDNS(_ upstream: Upstream) -> Bool {
        attempts.contains { $0.upstream === upstream && $0.usesEDNS }
    }

    func wasSilent(_ upstream: Upstream, sinceAsked asked: NIODeadline) {
        if !isProbe { upstream.with { $0.wasSilent(sinceAsked: asked, at: .now()) } }
    }

    /// Nothing gets lost over an encrypted connection, so a second attempt only waits longer for the first.
    private func askOverLink(_ attempt: Attempt) {
        guard questions[attempt.upstream]?.isWanted != true else { return }
        guard let link = loop.link(to: attempt.upstream) else { return fail(attempt) }
        let question = link.ask(attempt) { [self] reply in
            guard !isOver else { return }
            guard let reply else {
                wasSilent(attempt.upstream, sinceAsked: attempt.sent)
                return fail(attempt)
            }
            reply.withUnsafeReadableBytes { take($0, attempt) }
        }
        if question.isWanted { questions[attempt.upstream] = question }
    }

    /// An upstream failed the question: asks it once without EDNS before that counts, while its turn lasts.
    func askSimplyOrFail(_ attempt: Attempt) {
        guard attempt.usesEDNS, !failed.contains(attempt.upstream), let turn, turn.until > .now() else {
            return fail(attempt)
        }
        let isAskedSimply = attempts.contains { $0.upstream === attempt.upstream && !$0.usesEDNS }
        if !isAskedSimply { ask(attempt.upstream, simply: true) }
    }

    /// An upstream failed, or cannot be reached: asks the next at once.
    func fail(_ attempt: Attempt) {
        guard !isOver else { return }
        let isNew = failed.insert(attempt.upstream).inserted
        let isInTurn = isNew && turn?.upstream === attempt.upstream
        // An immediate failure costs none of the patience.
        if isInTurn { tries -= 1 }
        // A cut answer is better than none: another upstream's failure does not end the stream that fetches it.
        guard stream == nil else { return }
        if order.allSatisfy(failed.contains) {
            end(fallback)
        } else if isInTurn {
            advance()
        }
    }

    func end(_ resolution: Responder.Resolution) {
        guard !isOver else { return }
        isOver = true
        close()
        onEnd(resolution)
    }

    /// Closes everything without a result.
    func close() {
        isOver = true
        deadline?.cancel()
        timer?.cancel()
        for socket in sockets.values { socket.close() }
        sockets.removeAll()
        stream?.close()
        stream = nil
        for question in questions.values { question.forget() }
        questions.removeAll()
        if let place { loop.places.leave(place) }
    }
}
