import Directory
import NIOCore
import Synchronization

/// A server that questions are sent to, with what all event loops know of its health.
final class Upstream: Sendable {
    let server: UpstreamServer
    /// It is never asked with EDNS.
    let isSimple: Bool
    private let health: Mutex<UpstreamHealth>
    /// Where a server with a name was found last.
    private let found = Mutex<[IPAddress]>([])

    init(_ server: UpstreamServer, isSimple: Bool = false) {
        self.server = server
        self.isSimple = isSimple
        health = Mutex(UpstreamHealth())
    }

    func note(addresses: [[UInt8]]) {
        guard !addresses.isEmpty else { return }
        found.withLock { $0 = addresses.compactMap { IPAddress($0) } }
    }

    /// Whether its answers are checked for private addresses. A server of the home, by a private address or by one on
    /// this machine's own networks, may give out the home's addresses.
    func isPublic(beyond home: HomeNetworks) -> Bool {
        let addresses = server.fixed.map { [$0.ip] } ?? found.withLock { $0 }
        return addresses.isEmpty || addresses.contains { !$0.isPrivate && !home.isNear($0) }
    }

    /// Reads or changes its health, which takes nanoseconds: nothing waits inside.
    func with<Value: Sendable>(_ body: (inout UpstreamHealth) -> Value) -> Value {
        health.withLock { body(&$0) }
    }
}

extension Upstream: Hashable {
    static func == (one: Upstream, other: Upstream) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// All servers that this server asks. A server in two of the lists has one health.
struct Upstreams: Sendable {
    /// For everything public.
    let world: [Upstream]
    /// For names of the home.
    let home: [Upstream]
    /// For the names of encrypted upstreams.
    let bootstrap: [Upstream]

    /// - Parameter before: those of an earlier network, whose health is kept.
    init(_ network: Resolver.Network, after before: Upstreams? = nil) {
        let old = before.map { $0.world + $0.home + $0.bootstrap } ?? []
        var known = Dictionary(old.map { ($0.server, $0) }, uniquingKeysWith: { first, _ in first })
        func upstream(_ server: UpstreamServer) -> Upstream {
            let upstream = known[server] ?? Upstream(server)
            known[server] = upstream
            return upstream
        }
        world = network.upstreams.map(upstream)
        home = network.localUpstreams.map(upstream)
        bootstrap = network.bootstrapServers.map(upstream)
    }

    /// The upstreams for clients' questions, in the order of the configuration.
    var all: [Upstream] { world + home.filter { !world.contains($0) } }
}

extension [Upstream] {
    /// In the order to ask: as configured, upstreams that back off last, looping upstreams left out.
    /// - Parameter evenLooping: takes looping upstreams too, for what they know themselves.
    func inOrder(at now: NIODeadline, evenLooping: Bool = false) -> [Upstream] {
        var (first, last): ([Upstream], [Upstream]) = ([], [])
        for upstream in self {
            switch upstream.with({ $0.comesFirst(at: now) }) {
            case true?: first.append(upstream)
            case false?: last.append(upstream)
            case nil: if evenLooping { first.append(upstream) }
            }
        }
        return first + last
    }

    /// The second in an order, to be asked at the same time as the first while that is slow and the second is not known
    /// to be. A question to an encrypted upstream does not go out in plain for that.
    func otherWhileFirstIsSlow(at now: NIODeadline) -> Upstream? {
        guard count > 1, self[0].server.isPlain || !self[1].server.isPlain,
            self[1].with({ $0.pace <= UpstreamHealth.slow })
        else { return nil }
        return self[0].with { $0.isSlow(at: now) } ? self[1] : nil
    }
}
