import DNS
import Foundation
import NIOCore
import Policy

/// What is known of each upstream, from questions of our own and from the resolver.
struct UpstreamWatch: Sendable {
    /// What the resolver tells, and does when it is asked to.
    struct Resolver: Sendable {
        /// Encrypted upstreams that the household's own questions found silent and that leave one more unanswered:
        /// their connections are the resolver's.
        let silent: @Sendable () async -> Set<UpstreamServer>
        /// Those that ask this server in turn, as far as it knows.
        let looping: @Sendable () async -> Set<UpstreamServer>
        /// Asks them whether they do.
        let lookForLoops: @Sendable () async -> Void
    }

    let all: [UpstreamServer]
    /// Since when one has not answered, and how often it was asked in vain.
    private var silent: [UpstreamServer: (since: Date, times: Int)] = [:]
    private var looping: Set<UpstreamServer> = []
    private var hasLooped = false

    init(_ all: [UpstreamServer]) { self.all = all }

    var plain: [SocketAddress] { all.filter(\.isPlain).compactMap(\.address) }

    /// Whether to look for loops in this round. One that loops seems silent at first; one that did once is asked for
    /// good, because a question that was lost looks like an end of it.
    var mayLoop: Bool { hasLooped || !silent.isEmpty }

    /// Takes what a round of questions brought: the response codes of plain ones, and which encrypted ones are `mute`.
    mutating func take(_ answers: [SocketAddress: UInt8], mute: Set<UpstreamServer>, at now: Date) {
        for upstream in all {
            let code = upstream.address.flatMap { answers[$0] }
            if upstream.isPlain ? code.map(ServerProbe.isUseful) == true : !mute.contains(upstream) {
                silent[upstream] = nil
            } else {
                silent[upstream] = (silent[upstream]?.since ?? now, (silent[upstream]?.times ?? 0) + 1)
            }
        }
    }

    mutating func take(looping: Set<UpstreamServer>) {
        self.looping = looping
        if !looping.isEmpty { hasLooped = true }
    }

    /// One question that is lost is no silence: it takes two rounds.
    var facts: [HouseFacts.Upstream] {
        all.map { upstream in
            let since = silent[upstream].flatMap { $0.times > 1 ? $0.since : nil }
            let trouble: HouseFacts.Upstream.Trouble? =
                looping.contains(upstream) ? .loops : since.map { .silent(since: $0) }
            return HouseFacts.Upstream(address: Self.text(upstream), trouble)
        }
    }

    /// `9.9.9.9`, and with its port where that is another than DNS has; `tls://9.9.9.9:853`.
    static func text(_ upstream: UpstreamServer) -> String {
        guard upstream.isPlain, let place = upstream.address else { return upstream.description }
        let address = place.ipAddress ?? ""
        guard let port = place.port, port != 53 else { return address }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
