import NIOCore

/// How an exchange handles replies.
extension Exchange {
    /// Takes a datagram if it is the reply to one of the attempts, and ignores it otherwise.
    func receive(_ message: ByteBuffer, from source: SocketAddress) {
        guard !isOver else { return }
        message.withUnsafeReadableBytes { bytes in
            for attempt in attempts where attempt.came(from: source) {
                if attempt.isAnswered(by: bytes) {
                    if attempt.showsCase && bytes.u16(4) == 1 { attempt.upstream.with { $0.keptCase() } }
                    return take(bytes, attempt)
                }
                guard attempt.isAnswered(by: bytes, ignoringCase: true) else { continue }
                if attempt.upstream.with({ $0.changesCase }) { return take(bytes, attempt) }
                recased = (attempt, message)
            }
        }
    }

    func take(_ message: UnsafeRawBufferPointer, _ attempt: Attempt) {
        let upstream = attempt.upstream
        let question = UpstreamReply.SentQuery(
            name: name, type: lookup.type, variant: lookup.variant,
            isFromPublic: !lookup.isLocal && loop.isPublic(upstream),
            lacksSignatures: !attempt.usesEDNS && lookup.variant & 1 != 0)
        let reading = UpstreamReply.read(message, question)
        learn(reading, attempt)
        switch reading {
        case .answer(let answer):
            end(.answer(answer))
        case .truncated(let part):
            if let part { keep(.answer(part)) }
            let isNew = attempt.carrier == .datagram && !streamed.contains(upstream)
            isNew ? askOverStream(attempt) : askSimplyOrFail(attempt)
        case .failure(let how):
            keep(how)
            askSimplyOrFail(attempt)
        }
    }

    private func keep(_ resolution: Responder.Resolution) {
        if resolution.saysMore(than: fallback) { fallback = resolution }
    }

    /// Learns about a server from its reply.
    private func learn(_ reading: UpstreamReply.Reading, _ attempt: Attempt) {
        let isNews = attempt.upstream.with { learn(reading, attempt, &$0, at: .now()) }
        // Whether it knows EDNS after all, so that a lost question costs nobody DNSSEC.
        if isNews && !isProbe {
            loop.probe(attempt.upstream, WireName(), type: RecordType.ns, for: .seconds(3)) { _ in }
        }
    }

    /// A failure after another server's failure says more about the name.
    /// - Returns: whether the server seems to answer only without EDNS, which is news.
    private func learn(
        _ reading: UpstreamReply.Reading, _ attempt: Attempt, _ health: inout UpstreamHealth,
        at now: NIODeadline
    ) -> Bool {
        // A server that answers our probe from its cache may still leave clients' questions unanswered.
        let isOwn = isProbe && attempt.carrier == .datagram
        if isOwn { health.wasHeard(at: now) } else { health.answered(at: now) }
        switch reading {
        case .answer, .truncated:
            if !isProbe {
                health.wasUseful(at: now)
                health.took(now - attempt.sent, at: now)
            }
            if attempt.usesEDNS { health.answeredWithEDNS() }
            // An answer with EDNS that was only cut short is no failure.
            return !attempt.usesEDNS && wasAskedWithEDNS(attempt.upstream)
                && !streamed.contains(attempt.upstream) && health.answeredOnlyWithoutEDNS(at: now)
        case .failure(.answer): break
        case .failure:
            if !isProbe, !attempt.usesEDNS, failed.isEmpty { health.wasInVain(name, at: now) }
        }
        return false
    }

    /// - Parameter recased: the reply in another case, which TCP must confirm.
    func askOverStream(_ attempt: Attempt, _ recased: ByteBuffer? = nil) {
        self.recased = nil
        guard stream == nil else { return }
        guard let address = attempt.upstream.server.address,
            let stream = UpstreamStream(attempt, address, loop)
        else { return leaveStream(attempt, nil) }
        self.stream = stream
        streamed.insert(attempt.upstream)
        wait(until: .now() + loop.configuration.streamPatience) { [self] in
            leaveStream(attempt, nil, recased)
        }
        stream.start { [self] in leaveStream(attempt, $0, recased) }
    }

    /// Takes the stream's result. If the stream fails, an upstream that was asked meanwhile keeps the rest of its turn.
    private func leaveStream(_ attempt: Attempt, _ reply: ByteBuffer?, _ recased: ByteBuffer? = nil) {
        guard !isOver else { return }
        stream?.close()
        stream = nil
        waitForReply()
        let best = recased.map { judge($0, attempt, overTCP: reply) } ?? reply
        guard let best else { return recased == nil ? askSimplyOrFail(attempt) : fail(attempt) }
        best.withUnsafeReadableBytes { take($0, attempt) }
    }

    /// The reply to take if a datagram came in another case: TCP's reply, or else the datagram if its server is known
    /// to change case. A server with neither counts as silent.
    private func judge(
        _ recased: ByteBuffer, _ attempt: Attempt, overTCP reply: ByteBuffer?
    ) -> ByteBuffer? {
        let isProven = reply?.withUnsafeReadableBytes { !attempt.isAnswered(by: $0) } ?? false
        let isKnown = attempt.upstream.with { $0.changedCase(isProven: isProven) }
        if reply == nil, !isKnown { wasSilent(attempt.upstream, sinceAsked: attempt.sent) }
        return reply ?? (isKnown ? recased : nil)
    }
}
