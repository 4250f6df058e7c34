import NIOCore

/// Turns one query into one reply: everything that an event loop decides, without sockets and without a clock.
final class Responder {
    /// Who asks, where, and how.
    struct Asking {
        var client: ClientAddress
        /// What this machine calls itself on the interface asked.
        let endpoint: OwnAddresses
        let isDatagram: Bool
        let now: NIODeadline
        /// Over TLS or HTTPS, where replies are padded for those who ask for it (RFC 7830).
        var isEncrypted = false
        /// Waited for a gateway as long as it may.
        var isHeldLong = false
    }

    /// What became of a query.
    enum Outcome {
        /// The reply is written.
        case replied
        case silence
        /// Nothing is written; an upstream has to be asked, then `respond` again with what it said.
        case resolve(Lookup)
        /// Nothing is written; a gateway has to open an address first that the answer leads to, then `respond` again.
        case hold
    }

    /// What to ask an upstream; the name is in `name`.
    struct Lookup {
        let type: UInt16
        let variant: UInt8
        /// Goes to the home's own servers, which may answer with private addresses.
        let isLocal: Bool
    }

    /// What an upstream said.
    enum Resolution {
        case answer(Answer)
        /// All upstreams failed, and none said why.
        case failed
        /// An upstream said that it failed, with the Extended DNS Error (RFC 8914) that it gave for it, if it gave one.
        case failedThere(UInt16?)

        var isFailure: Bool {
            if case .answer = self { false } else { true }
        }
    }

    /// The name of the query that was read last.
    let name = WireName()
    var filter: Filter
    var clients: ClientTable
    var cache: AnswerCache
    var tally = Tally()
    var refused = RefusedNames()
    /// Nil: nobody asks for them.
    var answers: AnswerNotes?
    /// Addresses that a gateway has closed, by client.
    var closed: [ClientAddress: Set<ClientAddress>] = [:]
    var checkNotes = CheckNotes()
    let served: ServedNames
    let hasLocalUpstream: Bool
    let forwarders: Set<ClientAddress>
    /// The hardware address of a neighbour, as the kernel knows it.
    let hardware: (ClientAddress, _ anew: Bool) -> HardwareAddress?
    /// Addresses whose PTR is the own name.
    var ownAddresses: Set<ClientAddress> = []
    /// Asked about every name below an own one; true when it is a question of this server's own loop check.
    var isLoopCheck: ((WireName) -> Bool)?

    init(_ configuration: Resolver.Configuration, served: ServedNames, filter: Filter) {
        self.filter = filter
        self.served = served
        clients = ClientTable(filter: filter, hardware: configuration.hardware)
        cache = AnswerCache(capacity: configuration.cacheBytes)
        hasLocalUpstream = !configuration.localUpstreams.isEmpty
        forwarders = configuration.forwarders
        hardware = configuration.hardware
        if configuration.notesAnswers { answers = AnswerNotes() }
    }

    func apply(_ filter: Filter) {
        self.filter = filter
        clients.apply(filter)
    }

    /// Takes over who is at home.
    func apply(_ home: HomeNetworks) {
        clients.apply(home)
    }

    /// Hands over what was counted since the last call.
    func collect() -> Collected {
        let checks = checkNotes.collect()
        return Collected(
            counts: tally.collect(), clients: clients.collect(), metrics: tally.metrics,
            refused: refused.collect(), checkQuestions: checks.questions, evasionSigns: checks.signs,
            unbelieved: checks.unbelieved)
    }

    /// Reads `packet` and writes the reply into `target`, which must have room for `WireSize.datagram` bytes over UDP,
    /// for the largest message otherwise.
    /// - Parameter resolution: nil when the query just came; otherwise what its upstreams said.
    /// - Returns: the outcome and the reply's size in bytes.
    func respond(
        _ packet: UnsafeRawBufferPointer, _ asking: Asking, into target: UnsafeMutableRawBufferPointer,
        resolution: Resolution? = nil
    ) -> (Outcome, Int) {
        if resolution == nil { tally.metrics.queries += 1 }
        switch Query.read(packet, into: name) {
        case .silence:
            tally.metrics.refused += 1
            return (.silence, 0)
        case .refused(let query, let rcode):
            tally.metrics.refused += 1
            var reply = ReplyWriter(query, packet, MessageWriter(target))
            reply.bareHeader(rcode: rcode)
            return (.replied, reply.writer.count)
        case .question(let query):
            var reply = ReplyWriter(query, packet, MessageWriter(target))
            reply.pads = asking.isEncrypted && query.edns?.options.wantsPadding ?? false
            let outcome = answer(query, asking, &reply, resolution)
            return (outcome, reply.writer.count)
        }
    }

    private func answer(
        _ query: Query, _ asking: Asking, _ reply: inout ReplyWriter, _ resolution: Resolution?
    ) -> Outcome {
        if let edns = query.edns, edns.version > 0 {
            tally.metrics.refused += 1
            reply.begin(rcode: UInt8(RCode.badVersion & 15))
            reply.opt(extendedRCode: UInt8(RCode.badVersion >> 4))
            return .replied
        }
        var asking = asking
        var client = clients.client(asking.client, isConnected: !asking.isDatagram)
        let isForwarded = client.isServed && forwarders.contains(asking.client)
        let named = client.isServed ? query.hardware : nil
        if let named, isForwarded {
            asking.client = ClientAddress(named)
            client = clients.client(asking.client)
        } else if named != nil {
            checkNotes.note(unbelieved: asking.client)
        }
        guard client.isServed, query.recordClass == 1, !RecordType.metaTypes.contains(query.type),
            query.type != 0
        else { return refuse(&reply) }
        let kinds = served.kinds(of: name)
        if resolution == nil, !kinds.isDisjoint(with: .evasion) { checkNotes.note(kinds, by: asking.client) }
        if !kinds.isEmpty || name.labelCount == 1 {
            if let outcome = answerServed(kinds, query, asking, &reply, resolution) { return outcome }
        }
        let isUnsure = client.isUnsure && !ownAddresses.contains(asking.client)
        if isUnsure, asking.isDatagram, mustAskAgain(asking.client) { return askAgain(&reply) }
        if isUnsure || isForwarded && named == nil { return answerUnnamed(query, asking, &reply, resolution) }
        if let group = client.group {
            return answerEnrolled(filter.compiled[group], query, asking, &reply, resolution)
        }
        return forward(query, asking, &reply, Passing(ceiling: .max, isLocal: false), resolution)
    }

    /// By the rules of the client's group.
    private func answerEnrolled(
        _ group: CompiledGroup, _ query: Query, _ asking: Asking, _ reply: inout ReplyWriter,
        _ resolution: Resolution?
    ) -> Outcome {
        let match = filter.table.match(name)
        let step = group.decide(match, in: filter.table)
        let kind = step?.kind ?? .forward
        if resolution == nil && match.tag != 0 {
            tally.count(asking.client, tag: match.tag, blocked: kind == .block || kind == .null)
        }
        // Also one that was asked upstream before the rules changed: it is told once, whichever way it came.
        if kind == .block { refused.note(asking.client, name) }
        switch kind {
        case .block, .null:
            let text = step!.text < 0 ? [] : group.texts[Int(step!.text)]
            let isPage = kind == .block && (match.tag == 0 ? name.looksLikePageHost : match.isPage)
            let isShown =
                isPage
                && (group.shieldless < 0 || !filter.table.contains(match, set: Int(group.shieldless)))
            return block(query, &reply, text: text, shield: isShown ? asking.endpoint : nil)
        case .nameError:
            return nonexistent(&reply)
        case .relay where query.type.isOfConnections:
            return relay(query, asking, &reply, ttl: group.ceiling(at: asking.now))
        case .forward, .forwardUncapped, .relay:
            let ceiling = kind == .forwardUncapped ? .max : group.ceiling(at: asking.now)
            let passing = Passing(ceiling: ceiling, isLocal: false, isNoted: true)
            return forward(query, asking, &reply, passing, resolution)
        }
    }

    func refuse(_ reply: inout ReplyWriter) -> Outcome {
        tally.metrics.refused += 1
        reply.begin(rcode: RCode.refused)
        reply.opt()
        return .replied
    }
}

/// The addresses that this machine answers with for itself.
struct OwnAddresses {
    var v4: ClientAddress?
    var v6: ClientAddress?
}

extension CompiledGroup {
    /// The largest TTL at an instant: the group's, and never beyond the end of the verdict; at least 1 s.
    func ceiling(at now: NIODeadline) -> UInt32 {
        guard let answersEnd else { return ttlCeiling }
        let left = (answersEnd - now).nanoseconds / 1_000_000_000
        return min(ttlCeiling, UInt32(max(1, min(left, Int64(UInt32.max)))))
    }
}
