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
        /// Of what use each was to those who asked.
        let use: @Sendable () async -> [UpstreamServer: UpstreamUse]
        /// Those that ask this server in turn, as far as it knows.
        let looping: @Sendable () async -> Set<UpstreamServer>
        /// Asks them whether they do.
        let lookForLoops: @Sendable () async -> Void
    }

    let all: [UpstreamServer]
    /// Since when one has not answered usefully, how often it was asked in vain, and whether it said so.
    private var silent: [UpstreamServer: (since: Date, times: Int, hasAnswered: Bool)] = [:]
    /// Since when clients' questions got nothing useful.
    private var fruitless: [UpstreamServer: Date] = [:]
    private var looping: Set<UpstreamServer> = []
    private var hasLooped = false

    init(_ all: [UpstreamServer]) { self.all = all }

    var plain: [SocketAddress] { all.filter(\.isPlain).compactMap(\.address) }

    /// Whether to look for loops in this round. One that loops seems silent at first; one that did once is asked for
    /// good, because a question that was lost looks like an end of it.
    var mayLoop: Bool { hasLooped || !silent.isEmpty || !fruitless.isEmpty }

    /// Takes what a round of questions brought: the response codes of plain ones, and which encrypted ones are `mute`.
    /// Clients' questions say more than ours, which some refuse and others answer without asking anybody.
    mutating func take(
        _ answers: [SocketAddress: UInt8], mute: Set<UpstreamServer>,
        use: [UpstreamServer: UpstreamUse] = [:], at now: Date
    ) {
        for upstream in all {
            let code = upstream.address.flatMap { answers[$0] }
            let use = use[upstream] ?? UpstreamUse()
            fruitless[upstream] = use.fruitlessFor.map { now - TimeInterval($0.nanoseconds / 1_000_000_000) }
            let isWell = upstream.isPlain ? code.map(ServerProbe.isUseful) == true : !mute.contains(upstream)
            if isWell || Self.overrules(use, hasAnswered: code != nil) {
                silent[upstream] = nil
            } else {
                let (since, times) = (silent[upstream]?.since ?? now, silent[upstream]?.times ?? 0)
                silent[upstream] = (since, times + 1, code != nil)
            }
        }
    }

    /// What was useful to others a moment ago is well, and so is what only refuses our question.
    private static func overrules(_ use: UpstreamUse, hasAnswered: Bool) -> Bool {
        guard let last = use.lastUseful else { return false }
        return last < UpstreamUse.patience || hasAnswered && !use.hasFailedSince
    }

    mutating func take(looping: Set<UpstreamServer>) {
        self.looping = looping
        if !looping.isEmpty { hasLooped = true }
    }

    var facts: [HouseFacts.Upstream] {
        all.map { HouseFacts.Upstream(address: Self.text($0), trouble($0)) }
    }

    /// One question that is lost is no silence: it takes two rounds.
    private func trouble(_ upstream: UpstreamServer) -> HouseFacts.Upstream.Trouble? {
        if looping.contains(upstream) { return .loops }
        if let silent = silent[upstream], silent.times > 1 {
            return silent.hasAnswered ? .fruitless(since: silent.since) : .silent(since: silent.since)
        }
        return fruitless[upstream].map { .fruitless(since: $0) }
    }

    /// `9.9.9.9`, and with its port where that is another than DNS has; `tls://9.9.9.9:853`.
    static func text(_ upstream: UpstreamServer) -> String {
        guard upstream.isPlain, let place = upstream.address else { return upstream.description }
        let address = place.ipAddress ?? ""
        guard let port = place.port, port != 53 else { return address }
        return address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
