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
    private let isProbe: Bool
    private var order: [Upstream] = []
    private(set) var place: Places.Place?
    private var attempts: [Attempt] = []
    private var failed: Set<Upstream> = []
    /// A reply that was right but for its case: a forger's, or of an upstream that changes it.
    private var recased: (attempt: Attempt, reply: ByteBuffer)?
    /// What is told when nobody answers.
    private var failure = Responder.Resolution.failed
    /// When all patience is over.
    private var deadline: Scheduled<Void>?
    /// When the wait for the latest attempt, or for the stream, is over.
    private var timer: Scheduled<Void>?
    private var waits = 0
    /// Whom the latest attempt went to, when, and until when it is waited for.
    private var turn: (upstream: Upstream, sent: NIODeadline, until: NIODeadline)?
    private var sockets: [NIOBSDSocket.ProtocolFamily: UpstreamSocket] = [:]
    private var stream: UpstreamStream?
    /// Questions over encrypted connections, by upstream.
    private var questions: [Upstream: LineQuestion] = [:]
    private var tries = 0
    /// Two attempts have gone unanswered.
    var isSlow: Bool { tries > 2 }
    private var isOver = false
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
    private func waitForReply() {
        guard let turn else { return }
        wait(until: turn.until) { [self] in
            if let recased { return askOverStream(recased.attempt, recased.reply) }
            wasSilent(turn.upstream, sinceAsked: turn.sent)
            advance()
        }
    }

    /// Calls `then` at an instant, unless something else is waited for by then.
    private func wait(until instant: NIODeadline, then: @escaping () -> Void) {
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

    private func ask(_ upstream: Upstream, plain: Bool) {
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

    /// A datagram: taken when it is the reply to one of the attempts, ignored otherwise.
    private func receive(_ message: ByteBuffer, from source: SocketAddress) {
        guard !isOver else { return }
        message.withUnsafeReadableBytes { bytes in
            for attempt in attempts where attempt.came(from: source) {
                if attempt.isAnswered(by: bytes) {
                    if attempt.showsCase { attempt.upstream.with { $0.keptCase() } }
                    return take(bytes, attempt)
                }
                guard attempt.isAnswered(by: bytes, ignoringCase: true) else { continue }
                if attempt.upstream.with({ $0.quirks.contains(.changesCase) }) { return take(bytes, attempt) }
                recased = (attempt, message)
            }
        }
    }

    private func wasSilent(_ upstream: Upstream, sinceAsked asked: NIODeadline) {
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

    private func take(_ message: UnsafeRawBufferPointer, _ attempt: Attempt) {
        let upstream = attempt.upstream
        let question = UpstreamReply.Question(
            name: name, type: lookup.type, variant: lookup.variant,
            stripsPrivate: !lookup.isLocal && upstream.isPublic && !loop.mayBePrivate(name))
        let reading = UpstreamReply.read(message, question)
        upstream.with { learn(reading, attempt, &$0) }
        switch reading {
        case .answer(let answer):
            end(.answer(answer))
        case .truncated:
            attempt.carrier == .datagram ? askOverStream(attempt) : fail(attempt)
        case .formatError where attempt.usesEDNS:
            ask(upstream, plain: true)
        case .formatError:
            fail(attempt)
        case .failure(let error, let isSaid):
            if isSaid { failure = .failedThere(error) }
            fail(attempt)
        }
    }

    /// What a reply tells of the server that gave it. What another could not look up either says more of the name.
    private func learn(
        _ reading: UpstreamReply.Reading, _ attempt: Attempt, _ health: inout UpstreamHealth
    ) {
        let now = NIODeadline.now()
        health.answered(at: now)
        switch reading {
        case .answer, .truncated:
            // Only a question that it called malformed is asked without EDNS.
            if !attempt.usesEDNS { health.showed(.noEDNS) }
            if !isProbe { health.wasUseful(at: now) }
        case .formatError where attempt.usesEDNS: break
        case .failure, .formatError:
            if !isProbe, failed.isEmpty { health.wasInVain(name, at: now) }
        }
    }

    /// - Parameter recased: the reply in another case that TCP is to confirm.
    private func askOverStream(_ attempt: Attempt, _ recased: ByteBuffer? = nil) {
        self.recased = nil
        guard stream == nil else { return }
        guard let address = attempt.upstream.server.address,
            let stream = UpstreamStream(attempt, address, loop)
        else { return leaveStream(attempt, nil) }
        self.stream = stream
        wait(until: .now() + loop.configuration.streamPatience) { [self] in
            leaveStream(attempt, nil, recased)
        }
        stream.start { [self] in leaveStream(attempt, $0, recased) }
    }

    /// The stream has told what it can; who was asked meanwhile has the rest of the turn.
    private func leaveStream(_ attempt: Attempt, _ reply: ByteBuffer?, _ recased: ByteBuffer? = nil) {
        guard !isOver else { return }
        stream?.close()
        stream = nil
        waitForReply()
        let best = recased.map { judge($0, attempt, overTCP: reply) } ?? reply
        guard let best else { return fail(attempt) }
        best.withUnsafeReadableBytes { take($0, attempt) }
    }

    /// An upstream said that it cannot, or cannot be reached: the next, at once.
    private func fail(_ attempt: Attempt) {
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

    /// What to take where a datagram came in another case: what TCP said, else the datagram once its server is known to
    /// change it. A server that gives neither is left to the last.
    private func judge(
        _ recased: ByteBuffer, _ attempt: Attempt, overTCP reply: ByteBuffer?
    ) -> ByteBuffer? {
        let isProven = reply?.withUnsafeReadableBytes { !attempt.isAnswered(by: $0) } ?? false
        let isKnown = attempt.upstream.with { $0.changedCase(isProven: isProven) }
        if reply == nil, !isKnown { wasSilent(attempt.upstream, sinceAsked: attempt.sent) }
        return reply ?? (isKnown ? recased : nil)
    }

    private func end(_ resolution: Responder.Resolution) {
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
