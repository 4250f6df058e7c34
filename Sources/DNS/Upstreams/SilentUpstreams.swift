package import NIOCore

extension Resolver {
    /// Upstreams that clients' questions found silent, on some event loop and answering on none. Encrypted ones among
    /// them are asked once more first: while another answers in time, no client's question tells that one is back.
    ///
    /// - Parameter patience: how long their answers are waited for.
    package func silentUpstreams(patience: TimeAmount = .seconds(3)) async -> Set<UpstreamServer> {
        let rounds = loops.all.map { loop in
            let round = loop.eventLoop.makePromise(of: Void.self)
            loop.eventLoop.execute { loop.value.askSilent(patience, round) }
            return round.futureResult
        }
        for round in rounds { try? await round.get() }
        let told = await loops.ask { loop in
            let both = [loop.upstreams(.world), loop.upstreams(.home)]
            return both.map { (silent: $0.silent, heard: $0.heard(at: .now())) }
        }.flatMap { $0 }
        return told.reduce(into: Set()) { $0.formUnion($1.silent) }
            .subtracting(told.reduce(into: Set()) { $0.formUnion($1.heard) })
    }
}

extension ResolverLoop {
    /// Asks the silent encrypted upstreams for the root's name servers; whatever one answers, it is heard.
    fileprivate func askSilent(_ patience: TimeAmount, _ round: EventLoopPromise<Void>) {
        let asked = [Upstreams.Route.world, .home].flatMap { route in
            upstreams(route).all.enumerated()
                .filter { $0.element.isSilent && !$0.element.isDropped && !$0.element.server.isPlain }
                .map { askOnce($0.element.server, $0.offset, route, patience) }
        }
        EventLoopFuture.andAllComplete(asked, on: eventLoop).cascade(to: round)
    }

    private func askOnce(
        _ server: UpstreamServer, _ index: Int, _ route: Upstreams.Route, _ patience: TimeAmount
    ) -> EventLoopFuture<Void> {
        let over = eventLoop.makePromise(of: Void.self)
        // A new name is the root's.
        let attempt = Attempt(
            index, WireName(), type: RecordType.ns, variant: 0, usesEDNS: true, carrier: .encrypted)
        guard let question = link(to: server, index, route)?.ask(attempt, onEnd: { _ in over.succeed() })
        else {
            over.succeed()
            return over.futureResult
        }
        let timer = eventLoop.assumeIsolated().scheduleTask(in: patience) { question.end(nil) }
        over.futureResult.whenComplete { _ in timer.cancel() }
        return over.futureResult
    }
}
