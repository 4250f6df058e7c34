import Directory
import NIOCore

extension Resolver {
    /// The addresses of a name, as 4 or 16 bytes each, for this server's own requests: from the upstreams, past every
    /// rule, and never this server's own (design.md, "DNS answers"). Empty if there are none.
    package func addresses(of host: String) async -> [[UInt8]] {
        async let v4 = records(RecordType.a, of: host)
        async let v6 = records(RecordType.aaaa, of: host)
        return await v4 + v6
    }

    /// The name chooses the loop, so that an earlier answer is in that loop's cache.
    private func records(_ type: UInt16, of host: String) async -> [[UInt8]] {
        var place = Hasher()
        place.combine(host)
        let loop = loops.all[Int(UInt(bitPattern: place.finalize()) % UInt(loops.all.count))]
        let found = loop.eventLoop.makePromise(of: [[UInt8]].self)
        loop.eventLoop.execute { loop.value.lookUp(type, of: host) { found.succeed($0) } }
        return (try? await found.futureResult.get()) ?? []
    }
}

extension ResolverLoop {
    /// How long to wait for a new answer before an expired one is used.
    private static let patienceBeforeStale = TimeAmount.milliseconds(500)

    /// From the cache, or from an upstream; an expired answer if no upstream answers, as devices get it (RFC 8767).
    fileprivate func lookUp(_ type: UInt16, of host: String, _ done: @escaping ([[UInt8]]) -> Void) {
        let name = WireName()
        guard name.read(host) else { return done([]) }
        let kinds = responder.served.kinds(of: name)
        let isLocal = name.labelCount == 1 || !kinds.isDisjoint(with: [.home, .reverse])
        guard kinds.isDisjoint(with: [.own, .aboveOwn, .belowOwn, .localhost, .resolverArpa]),
            !responder.isNonexistent(kinds), !isLocal || responder.hasLocalUpstream
        else { return done([]) }
        func addresses(_ answer: Answer) -> [[UInt8]] {
            answer.leadsHome && !responder.mayBePrivate(name) ? [] : answer.addresses
        }
        let known = responder.cache.entry(name, type: type, variant: 0)
        if let known, known.expires > .now() { return done(addresses(known.answer)) }
        let stale = known.flatMap { $0.expires + AnswerCache.staleLimit > .now() ? $0.answer : nil }
        var done: (([[UInt8]]) -> Void)? = done
        func end(_ addresses: [[UInt8]]) {
            done?(addresses)
            done = nil
        }
        if let stale {
            eventLoop.assumeIsolated().scheduleTask(in: Self.patienceBeforeStale) { end(addresses(stale)) }
        }
        resolve(Responder.Lookup(type: type, variant: 0, isLocal: isLocal), of: name) { resolution in
            if case .answer(let answer) = resolution {
                end(addresses(answer))
            } else {
                end(stale.map(addresses) ?? [])
            }
        }
    }

    /// Resolves a look-up of this server itself. It shares exchanges, so that many connections to one host at once
    /// cause one question. `done` is called once, perhaps before this returns.
    private func resolve(
        _ lookup: Responder.Lookup, of name: WireName, _ done: @escaping (Responder.Resolution) -> Void
    ) {
        let key = LookupKey(name, lookup)
        if let failure = failure(key) { return done(failure) }
        if let exchange = exchanges[key] { return exchange.join(done) }
        begin(key, lookup, name, for: .ownLookups) { $0.ownWaiters.append(done) }
    }
}

extension ResolverLoop {
    /// The addresses of an encrypted upstream's name from the bootstrap servers, IPv4 first. They need not be true: the
    /// certificate authenticates the upstream.
    func addresses(ofUpstream host: String, _ done: @escaping ([[UInt8]], TimeAmount) -> Void) {
        let name = WireName()
        guard name.read(host) else { return done([], .zero) }
        var found: [UInt16: [[UInt8]]] = [:]
        var lifetime = UInt32.max
        for type in [RecordType.a, RecordType.aaaa] {
            // It may be a server of the home, with a private address.
            let lookup = Responder.Lookup(type: type, variant: 0, isLocal: true)
            Exchange(lookup, name, self, from: upstreams.bootstrap) { resolution in
                found[type] = []
                if case .answer(let answer) = resolution {
                    found[type] = answer.addresses
                    lifetime = min(lifetime, answer.lifetime)
                }
                guard let v4 = found[RecordType.a], let v6 = found[RecordType.aaaa] else { return }
                done(v4 + v6, .seconds(Int64(lifetime)))
            }.start()
        }
    }
}

extension ClientAddress {
    /// The holder of this server's own look-ups.
    static let ownLookups = ClientAddress(high: 0, low: 0)
}

extension Answer {
    /// The data of the answer section's records of the type that was asked for.
    fileprivate var addresses: [[UInt8]] {
        message.withUnsafeBytes { bytes in
            let size = type == RecordType.a ? 4 : 16
            return Records(bytes, behindQuestion: questionEnd)
                .filter { $0.section == 0 && $0.type == type && $0.data.count == size }
                .map { [UInt8](bytes[$0.data]) }
        }
    }
}
