import NIOCore

/// The last stage: answers with the upstream's result or from the cache, or asks an upstream.
enum Forwarding {
    /// TTL of a stale answer, in seconds (RFC 8767).
    private static let staleTTL: UInt32 = 30

    static func outcome(
        _ pass: inout Pass, _ reply: inout ReplyWriter, _ responder: Responder
    ) -> Responder.Outcome {
        let (query, now) = (pass.query, pass.asking.now)
        if query.type == RecordType.any { return responder.any(&reply) }
        if case .answer(let answer) = pass.resolution {
            return responder.write(answer, age: 0, pass, &reply)
        }
        let entry = responder.cache.entry(responder.name, type: query.type, variant: query.variant)
        if let entry, entry.expires > now {
            responder.tally.metrics.cacheHits += 1
            return responder.write(entry.answer, age: entry.age(now), pass, &reply)
        }
        guard query.flags & HeaderFlag.recursionDesired != 0 else { return responder.refuse(&reply) }
        guard let resolution = pass.resolution else {
            let isLocal = pass.passing.isLocal
            return .resolve(.init(type: query.type, variant: query.variant, isLocal: isLocal))
        }
        if let entry, entry.expires + AnswerCache.staleLimit > now {
            responder.tally.metrics.stale += 1
            pass.passing.ceiling = min(pass.passing.ceiling, staleTTL)
            return responder.write(entry.answer, age: nil, pass, &reply)
        }
        responder.tally.metrics.failures += 1
        reply.begin(rcode: RCode.serverFailure)
        if case .failedThere(let code) = resolution {
            reply.opt(code: code)
        } else {
            reply.opt(code: ExtendedError.noReachableAuthority)
        }
        return .replied
    }
}

/// Replies that come from an upstream, now or earlier.
extension Responder {
    /// How an upstream's answer goes on to the client.
    struct Passing {
        /// The largest TTL that the client sees, in seconds.
        var ceiling: UInt32
        let isLocal: Bool
        /// Whether to note the answer for a gateway.
        var isNoted = false
        /// Whether private addresses of public names are kept from the client (DNS rebinding).
        var isGuarded = false
    }

    /// Takes a question straight to the last stage, past the rules of a group.
    func forward(
        _ query: Query, _ asking: Asking, _ reply: inout ReplyWriter, _ passing: Passing,
        _ resolution: Resolution?
    ) -> Outcome {
        var pass = Pass(
            query: query, source: asking.client, asking: asking, resolution: resolution, passing: passing)
        return Forwarding.outcome(&pass, &reply, self)
    }

    /// Whether a public name may have private addresses: by the command line, or by the household's list.
    func mayBePrivate(_ name: WireName) -> Bool {
        if served.kinds(of: name).contains(.mayBePrivate) { return true }
        guard let set = filter.mayBePrivate else { return false }
        return filter.table.contains(filter.table.match(name), set: set)
    }

    /// Whether an expired answer could be served.
    func hasStale(_ name: WireName, _ lookup: Lookup, at now: NIODeadline) -> Bool {
        let entry = cache.entry(name, type: lookup.type, variant: lookup.variant)
        return entry.map { $0.expires + AnswerCache.staleLimit > now } ?? false
    }

    /// Notes an answer for a gateway. Nil: it may go out. Otherwise it waits for room in the notes, or until the
    /// gateway has opened its addresses for the client.
    private func holdUp(_ answer: Answer, _ asking: Asking, _ reply: inout ReplyWriter) -> Outcome? {
        guard answers != nil else { return nil }
        let isNoted = answers!.note(answer, to: asking.client) { holder(of: $0) }
        if !isNoted { return asking.isHeldLong ? unheard(&reply) : .hold }
        guard !asking.isHeldLong, let closed = closed[asking.client] else { return nil }
        return answer.publicAddresses.contains(where: closed.contains) ? .hold : nil
    }

    /// The notes had no room for the answer in time, so it fails; the client asks again.
    private func unheard(_ reply: inout ReplyWriter) -> Outcome {
        reply.begin(rcode: RCode.serverFailure)
        reply.opt(code: ExtendedError.other, text: Self.tooManyText)
        return .replied
    }

    /// Copies an answer behind the client's own header and question, with TTLs less `age` and at most the ceiling.
    /// - Parameter age: seconds since it was stored; nil for a stale one.
    fileprivate func write(
        _ answer: Answer, age: UInt32?, _ pass: Pass, _ reply: inout ReplyWriter
    ) -> Outcome {
        let (query, asking, passing) = (pass.query, pass.asking, pass.passing)
        // A public name with a private address: NODATA, with the reason.
        if answer.leadsHome && passing.isGuarded && !mayBePrivate(name) {
            return empty(&reply, code: ExtendedError.filtered, text: Self.privateAddressText)
        }
        let wantsAuthentic = query.dnssecOK || query.flags & HeaderFlag.authentic != 0
        let flags = answer.isAuthentic && wantsAuthentic ? HeaderFlag.authentic : 0
        guard let shown = shown(answer, isStale: age == nil, pass) else {
            reply.begin(rcode: answer.rcode, flags: flags | HeaderFlag.truncated)
            reply.opt()
            return .replied
        }
        if passing.isNoted, let outcome = holdUp(answer, asking, &reply) { return outcome }
        reply.begin(rcode: shown.rcode, flags: flags, answers: shown.counts.0, authorities: shown.counts.1)
        if shown.counts.2 > 0 {
            reply.writer.set(u16: shown.counts.2 + (query.edns == nil ? 0 : 1), at: 10)
        }
        shown.message.withUnsafeBytes { message in
            reply.writer.bytes(UnsafeRawBufferPointer(rebasing: message[shown.questionEnd...]))
        }
        for offset in shown.ttlOffsets {
            let ttl = reply.writer.readU32(at: Int(offset))
            let left = ttl > 0x7fff_ffff ? 0 : ttl
            let lasting = age.map { left > $0 ? left - $0 : min(left, 1) } ?? passing.ceiling
            reply.writer.set(u32: min(lasting, passing.ceiling), at: Int(offset))
        }
        reply.opt(code: age == nil ? ExtendedError.staleAnswer : nil)
        return .replied
    }

    /// As much of an answer as the client takes and needs; nil if that is too large.
    private func shown(_ answer: Answer, isStale: Bool, _ pass: Pass) -> Answer? {
        let query = pass.query
        let options = query.edns == nil ? 0 : WireSize.opt + (isStale ? 6 : 0)
        let room = (pass.asking.isDatagram ? query.datagramLimit : WireSize.message) - options
        if answer.message.count <= room { return answer }
        return answer.shortened(to: room, keepsAuthority: query.dnssecOK || answer.counts.0 == 0)
    }

    private static let tooManyText = [UInt8]("too many names at once".utf8)
    private static let privateAddressText = [UInt8]("a public name with a private address".utf8)
}
