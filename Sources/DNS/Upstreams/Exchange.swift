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
    let route: Upstreams.Route
    private var order: [Int] = []
    private(set) var place: Places.Place?
    private var attempts: [Attempt] = []
    private var failed: Set<Int> = []
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
    private var turn: (upstream: Int, sent: NIODeadline, until: NIODeadline)?
    private var sockets: [NIOBSDSocket.ProtocolFamily: UpstreamSocket] = [:]
    private var stream: UpstreamStream?
    /// Questions over encrypted connections, by upstream.
    private var questions: [Int: LineQuestion] = [:]
    private var tries = 0
    /// Two attempts have gone unanswered.
    var isSlow: Bool { tries > 2 }
    private var isOver = false
    private let onEnd: (Responder.Resolution) -> Void

    /// - Parameters:
    ///   - holder: whose place it takes; nil: it needs none.
    ///   - route: nil: the home's or the world's, as the lookup says.
    init(
        _ lookup: Responder.Lookup, _ name: WireName, _ loop: ResolverLoop, for holder: ClientAddress?,
        route: Upstreams.Route? = nil, onEnd: @escaping (Responder.Resolution) -> Void
    ) {
        self.lookup = lookup
        self.name = name
        self.loop = loop
        self.onEnd = onEnd
        self.route = route ?? (lookup.isLocal ? .home : .world)
        place = holder.map { Places.Place($0) { [unowned self] in begin() } }
    }

    func start() {
        let configuration = loop.configuration
        let most = configuration.upstreamPatience.reduce(configuration.streamPatience, +)
        deadline = loop.eventLoop.assumeIsolated().scheduleTask(in: most) { [self] in end(failure) }
        if let place { loop.places.enter(place) } else { begin() }
    }

    private func begin() {
        order = loop.order(route)
        advance()
    }

    /// Makes the next attempt, or gives up when there is none.
    private func advance() {
        timer?.cancel()
        guard !isOver else { return }
        guard tries < loop.configuration.upstreamPatience.count, let upstream = nextUpstream() else {
            return end(failure)
        }
        if tries == 2 { loop.serveStale(self) }
        let now = NIODeadline.now()
        turn = (upstream, now, now + loop.configuration.upstreamPatience[tries])
        tries += 1
        waitForReply()
        ask(upstream, plain: false)
    }

    /// Waits for the latest attempt as long as its turn lasts; goes on at once when that is over.
    private func waitForReply() {
        guard let turn else { return }
        wait(until: turn.until) { [self] in
            if let recased { return askOverStream(recased.attempt, recased.reply) }
            loop.suspect(turn.upstream, route, askedAt: turn.sent)
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

    private func nextUpstream() -> Int? {
        let left = order.filter { !failed.contains($0) }
        return left.isEmpty ? nil : left[tries % left.count]
    }

    private func ask(_ index: Int, plain: Bool) {
        let upstream = loop.upstreams(route).all[index]
        let attempt = Attempt(
            index, name, type: lookup.type, variant: lookup.variant,
            usesEDNS: !plain && upstream.plainUntil <= .now(),
            carrier: upstream.server.isPlain ? .datagram : .encrypted)
        attempts.append(attempt)
        guard upstream.server.isPlain, let address = upstream.server.address else {
            return askOverLink(attempt, upstream.server)
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
            for attempt in attempts where came(attempt, from: source) {
                if attempt.isAnswered(by: bytes) {
                    loop.recasers.cameRight(attempt, from: server(attempt))
                    return take(bytes, attempt)
                }
                guard attempt.isAnswered(by: bytes, ignoringCase: true) else { continue }
                if isKnownToRecase(attempt) { return take(bytes, attempt) }
                recased = (attempt, message)
            }
        }
    }

    /// Over an encrypted connection nothing gets lost: a second attempt is a longer wait for the first.
    private func askOverLink(_ attempt: Attempt, _ server: UpstreamServer) {
        guard questions[attempt.upstream]?.isWanted != true else { return }
        guard let link = loop.link(to: server, attempt.upstream, route) else { return fail(attempt) }
        let question = link.ask(attempt) { [self] reply in
            guard !isOver else { return }
            guard let reply else {
                loop.suspect(attempt.upstream, route, askedAt: attempt.sent)
                return fail(attempt)
            }
            reply.withUnsafeReadableBytes { take($0, attempt) }
        }
        if question.isWanted { questions[attempt.upstream] = question }
    }

    private func take(_ message: UnsafeRawBufferPointer, _ attempt: Attempt) {
        let upstream = loop.upstreams(route).all[attempt.upstream]
        let question = UpstreamReply.Question(
            name: name, type: lookup.type, variant: lookup.variant,
            stripsPrivate: route == .world && upstream.isPublic && !loop.mayBePrivate(name))
        loop.trust(attempt.upstream, route)
        let reading = UpstreamReply.read(message, question)
        // What another could not look up either says more of the name.
        loop.note(reading, attempt, failed.isEmpty ? name : nil, route)
        switch reading {
        case .answer(let answer):
            end(.answer(answer))
        case .truncated:
            attempt.carrier == .datagram ? askOverStream(attempt) : fail(attempt)
        case .formatError where attempt.usesEDNS:
            loop.avoidEDNS(attempt.upstream, route)
            ask(attempt.upstream, plain: true)
        case .formatError:
            fail(attempt)
        case .failure(let error, let isSaid):
            if isSaid { failure = .failedThere(error) }
            fail(attempt)
        }
    }

    /// - Parameter recased: the reply in another case that TCP is to confirm.
    private func askOverStream(_ attempt: Attempt, _ recased: ByteBuffer? = nil) {
        self.recased = nil
        guard stream == nil else { return }
        guard let address = loop.upstreams(route).all[attempt.upstream].server.address,
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
        if isNew, attempts.last?.upstream == attempt.upstream { tries -= 1 }
        // An answer that was cut short is better than none: what another says does not end its stream.
        guard stream == nil else { return }
        if order.allSatisfy(failed.contains) {
            end(failure)
        } else if isNew, tries < loop.configuration.upstreamPatience.count {
            advance()
        }
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
