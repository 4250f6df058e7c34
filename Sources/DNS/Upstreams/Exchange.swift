import Directory
import NIOCore
import NIOPosix

/// One question on its way: asks upstreams one after the other until one answers or five seconds are over, with three
/// more where an answer has to be fetched over TCP.
///
/// Its deadline is armed as long as it lives, also while it waits for a place: it ends whatever arrives, in whatever order.
///
/// Lives on one event loop. Every exchange has sockets of its own, so that every question leaves from another port.
final class Exchange {
    let name: WireName
    let lookup: Responder.Lookup
    var waiters: [Waiter] = []
    /// This server's own.
    var ownWaiters: [(Responder.Resolution) -> Void] = []
    let loop: ResolverLoop
    private let upstreams: [Upstream]
    private let patience: [TimeAmount]
    let isProbe: Bool
    private var order: [Upstream] = []
    private(set) var place: Places.Place?
    var attempts: [Attempt] = []
    var failed: Set<Upstream> = []
    /// A reply that was right but for its case: a forger's, or of an upstream that changes it.
    var recased: (attempt: Attempt, reply: ByteBuffer)?
    /// What is told when nobody answers.
    var failure = Responder.Resolution.failed
    /// When all patience is over.
    private var deadline: Scheduled<Void>?
    /// When the wait for the latest attempt, or for the stream, is over.
    private var timer: Scheduled<Void>?
    private var waits = 0
    /// Whom the latest attempt went to, when, and until when it is waited for.
    private var turn: (upstream: Upstream, sent: NIODeadline, until: NIODeadline)?
    private var sockets: [NIOBSDSocket.ProtocolFamily: UpstreamSocket] = [:]
    var stream: UpstreamStream?
    /// Questions over encrypted connections, by upstream.
    private var questions: [Upstream: LineQuestion] = [:]
    private var tries = 0
    /// Two attempts have gone unanswered.
    var isSlow: Bool { tries > 2 }
    var isOver = false
    private let onEnd: (Responder.Resolution) -> Void

    /// - Parameters:
    ///   - upstreams: whom it may ask, in the order of the configuration.
    ///   - holder: whose place it takes; nil: it needs none.
    ///   - patience: for each attempt; nil: as configured.
    ///   - isProbe: asks them also while they back off or loop, and lets silence or failure speak against none of them.
    init(
        _ lookup: Responder.Lookup, _ name: WireName, _ loop: ResolverLoop, from upstreams: [Upstream],
        for holder: ClientAddress? = nil, patience: [TimeAmount]? = nil, isProbe: Bool = false,
        onEnd: @escaping (Responder.Resolution) -> Void
    ) {
        self.lookup = lookup
        self.name = name
        self.loop = loop
        self.upstreams = upstreams
        self.patience = patience ?? loop.configuration.upstreamPatience
        self.isProbe = isProbe
        self.onEnd = onEnd
        place = holder.map { Places.Place($0) { [unowned self] in begin() } }
    }

    func start() {
        let most = patience.reduce(loop.configuration.streamPatience, +)
        deadline = loop.eventLoop.assumeIsolated().scheduleTask(in: most) { [self] in end(failure) }
        if let place { loop.places.enter(place) } else { begin() }
    }

    private func begin() {
        order = isProbe ? upstreams : upstreams.inOrder(at: .now())
        advance()
    }

    /// Makes the next attempt, or gives up when there is none.
    private func advance() {
        timer?.cancel()
        guard !isOver else { return }
        guard tries < patience.count, let upstream = nextUpstream() else {
            return end(failure)
        }
        if tries == 2 { loop.serveStale(self) }
        let now = NIODeadline.now()
        turn = (upstream, now, now + patience[tries])
        tries += 1
        waitForReply()
        ask(upstream, plain: false)
    }

    /// Waits for the latest attempt as long as its turn lasts; goes on at once when that is over.
    func waitForReply() {
        guard let turn else { return }
        wait(until: turn.until) { [self] in
            if let recased { return askOverStream(recased.attempt, recased.reply) }
            wasSilent(turn.upstream, sinceAsked: turn.sent)
            advance()
        }
    }

    /// Calls `then` at an instant, unless something else is waited for by then.
    func wait(until instant: NIODeadline, then: @escaping () -> Void) {
        timer?.cancel()
        waits += 1
        timer = loop.eventLoop.assumeIsolated().scheduleTask(deadline: instant) { [self, waits] in
            // One that is due in the same moment as what cancels it runs all the same.
            if !isOver && waits == self.waits { then() }
        }
    }

    private func nextUpstream() -> Upstream? {
        let left = order.filter { !failed.contains($0) }
        return left.isEmpty ? nil : left[tries % left.count]
    }

    func ask(_ upstream: Upstream, plain: Bool) {
        var quirks = upstream.with { $0.quirks }
        if plain { quirks.insert(.noEDNS) }
        let attempt = Attempt(upstream, name, type: lookup.type, variant: lookup.variant, quirks)
        attempts.append(attempt)
        guard upstream.server.isPlain, let address = upstream.server.address else {
            return askOverLink(attempt)
        }
        let family = address.protocol
        let socket = sockets[family] ?? UpstreamSocket(family, loop) { [self] in receive($0, from: $1) }
        sockets[family] = socket
        socket.send(attempt, to: address) { [self] in
            // A socket that could not send is closed by now.
            sockets.removeValue(forKey: family)?.close()
            fail(attempt)
        }
    }

    func wasSilent(_ upstream: Upstream, sinceAsked asked: NIODeadline) {
        if !isProbe { upstream.with { $0.wasSilent(sinceAsked: asked, at: .now()) } }
    }

    /// Over an encrypted connection nothing gets lost: a second attempt is a longer wait for the first.
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

    /// An upstream said that it cannot, or cannot be reached: the next, at once.
    func fail(_ attempt: Attempt) {
        guard !isOver else { return }
        let isNew = failed.insert(attempt.upstream).inserted
        // A failure at once costs none of the patience.
        if isNew, attempts.last?.upstream === attempt.upstream { tries -= 1 }
        // An answer that was cut short is better than none: what another says does not end its stream.
        guard stream == nil else { return }
        if order.allSatisfy(failed.contains) {
            end(failure)
        } else if isNew, tries < patience.count {
            advance()
        }
    }

    func end(_ resolution: Responder.Resolution) {
        guard !isOver else { return }
        isOver = true
        close()
        onEnd(resolution)
    }

    /// Closes everything without telling anybody.
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
