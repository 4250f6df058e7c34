package import NIOCore

extension ResolverLoop {
    /// Asks one server past the filter, the cache and the order of upstreams. It gets the question once more after a
    /// quarter of the patience, in case the first was lost. Silence is not held against it.
    func probe(
        _ upstream: Upstream, _ name: WireName, type: UInt16, for patience: TimeAmount,
        onEnd: @escaping (Responder.Resolution) -> Void
    ) {
        let quarter = TimeAmount.nanoseconds(patience.nanoseconds / 4)
        // The answer is for this server itself, so it may be private.
        let lookup = Responder.Lookup(type: type, variant: 0, isLocal: true)
        Exchange(
            lookup, name, self, from: [upstream], patience: [quarter, patience - quarter], isProbe: true,
            onEnd: onEnd
        ).start()
    }
}

extension Resolver {
    /// - Parameter name: in wire form.
    func probe(
        _ upstream: Upstream, _ name: [UInt8], type: UInt16, for patience: TimeAmount
    ) async -> Responder.Resolution {
        let loop = loops.all[0]
        let ended = loop.eventLoop.makePromise(of: Responder.Resolution.self)
        loop.eventLoop.execute {
            let wire = WireName()
            guard name.withUnsafeBytes({ wire.read($0, at: 0) }) != nil else { return ended.succeed(.failed) }
            loop.value.probe(upstream, wire, type: type, for: patience) { ended.succeed($0) }
        }
        return (try? await ended.futureResult.get()) ?? .failed
    }

    /// Asks a server for the root's name servers, which every resolver knows.
    private func probe(_ upstream: Upstream, for patience: TimeAmount) async -> UpstreamHealth.ProbeResult {
        let began = NIODeadline.now()
        if case .answer = await probe(upstream, [0], type: RecordType.ns, for: patience) { return .useful }
        return upstream.with { $0.heard }.map { $0 >= began } ?? false ? .refused : .silence
    }

    /// Probes the upstreams, once a minute, and looks for loops if there may be any. An encrypted upstream is probed
    /// only after two silences, because a handshake costs both sides. Then it must be: while another answers in time,
    /// no client's question shows that this one is back.
    package func checkUpstreams(patience: TimeAmount = .seconds(3)) async {
        let all = loops.upstreams.all
        if all.contains(where: { $0.with { $0.mayLoop(at: .now()) } }) { lookForLoops() }
        await withTaskGroup(of: Void.self) { tasks in
            for upstream in all {
                tasks.addTask { [self] in
                    let isDue = upstream.server.isPlain || upstream.with { $0.silences > 1 }
                    let result = isDue ? await probe(upstream, for: patience) : .useful
                    upstream.with { $0.probed(result, at: .now()) }
                }
            }
        }
    }

    /// The trouble of each upstream, as far as it is known now; nil: it is well.
    package var upstreamTroubles: [(server: UpstreamServer, trouble: UpstreamTrouble?)] {
        let now = NIODeadline.now()
        let upstreams = loops.upstreams
        return upstreams.all.map { upstream in
            let trouble = upstream.with { $0.trouble(at: now) }
            // The home's own server may ask here what it does not know itself.
            let isMeant = trouble == .loops && !upstreams.world.contains(upstream)
            return (upstream.server, isMeant ? nil : trouble)
        }
    }

    /// Upstreams on interfaces that this machine does not have now.
    package var unreachableUpstreams: [(server: UpstreamServer, interface: String)] {
        loops.upstreams.all.compactMap { upstream in
            upstream.server.missingInterface.map { (upstream.server, $0) }
        }
    }

    /// The addresses that have a server that answers anything.
    package func answering(
        _ addresses: [SocketAddress], patience: TimeAmount = .seconds(3)
    ) async -> Set<SocketAddress> {
        await withTaskGroup(of: SocketAddress?.self) { tasks in
            for address in Set(addresses) {
                tasks.addTask { [self] in
                    let server = Upstream(UpstreamServer(address), isSimple: true)
                    return await probe(server, for: patience) == .silence ? nil : address
                }
            }
            return await tasks.reduce(into: []) { if let address = $1 { $0.insert(address) } }
        }
    }
}

extension Resolver {
    /// Looping upstreams for public names, which are not asked until they stop.
    package var loopingUpstreams: [UpstreamServer] {
        loops.upstreams.world.filter { $0.with { $0.state == .looping } }.map(\.server)
    }

    /// Asks the upstreams once more, because a router may have been set up to ask here since, or to stop; at most once
    /// per `loopPause`.
    package func lookForLoops() {
        guard let round = loopCheck.begin(at: .now()) else { return }
        let (loop, patience) = (loops.all[0], loopPatience)
        loop.eventLoop.execute {
            for (upstream, text) in round.questions {
                let name = WireName()
                guard name.read(text) else { continue }
                loop.value.probe(upstream, name, type: RecordType.a, for: patience) { _ in }
            }
        }
        loop.eventLoop.scheduleTask(in: patience) { [loopCheck] in loopCheck.judge(round.number) }
    }
}
