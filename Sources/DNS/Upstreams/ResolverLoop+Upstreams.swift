import NIOCore

/// What an event loop remembers of upstreams.
extension ResolverLoop {
    func order(_ route: Upstreams.Route) -> [Int] { change(route) { $0.order(at: .now()) } }

    func suspect(_ index: Int, _ route: Upstreams.Route, askedAt: NIODeadline, now: NIODeadline = .now()) {
        change(route) { $0.suspect(index, askedAt: askedAt, now: now) }
    }

    func trust(_ index: Int, _ route: Upstreams.Route) { change(route) { $0.trust(index, at: .now()) } }

    /// A reply came: of use, or not. One that does not know EDNS is asked once more.
    ///
    /// - Parameter name: which tells something of the server when it could not look it up; nil: it tells nothing.
    func note(
        _ reading: UpstreamReply.Reading, _ attempt: Attempt, _ name: WireName?, _ route: Upstreams.Route
    ) {
        let now = NIODeadline.now()
        change(route) { upstreams in
            upstreams.note(attempt.upstream) { yield in
                switch reading {
                case .answer, .truncated: yield.wasUseful(at: now)
                case .formatError where attempt.usesEDNS: break
                case .failure, .formatError: if let name { yield.wasFruitless(name, at: now) }
                }
            }
        }
    }

    func avoidEDNS(_ index: Int, _ route: Upstreams.Route) {
        change(route) { $0.avoidEDNS(index, at: .now()) }
    }

    func drop(_ upstream: UpstreamServer) {
        for route in [Upstreams.Route.world, .home] { change(route) { $0.drop(upstream) } }
    }

    func take(back upstream: UpstreamServer) {
        for route in [Upstreams.Route.world, .home] { change(route) { $0.take(back: upstream) } }
    }
}
