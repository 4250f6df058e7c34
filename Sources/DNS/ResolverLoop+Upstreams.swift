import NIOCore

/// What an event loop remembers of upstreams.
extension ResolverLoop {
    func order(_ route: Upstreams.Route) -> [Int] { change(route) { $0.order(at: .now()) } }
    func suspect(_ index: Int, _ route: Upstreams.Route, askedAt: NIODeadline, now: NIODeadline = .now()) {
        change(route) { $0.suspect(index, askedAt: askedAt, now: now) }
    }
    func trust(_ index: Int, _ route: Upstreams.Route) { change(route) { $0.trust(index, at: .now()) } }
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
