import Logging
import NIOCore
import Synchronization

/// Finds looping upstreams: asks each for a random name under our own. If the question comes back to this server, the
/// upstream asks us in turn, and is not asked for public names any more. It is when a later question of this check does
/// not come back. The home's own server may know the names of the home all the same, so it goes on being asked for those.
final class LoopCheck: Sendable {
    private struct Round {
        /// Part of the name, because an upstream may cache the answer of an earlier round.
        var number = 0
        var beganAt = NIODeadline.distantPast
        var cameBack: Set<Upstream> = []
        /// The first part of each upstream's names: `loop-1f…`.
        var tokens: [String: Upstream] = [:]
        var ownName = ""
    }

    private let pause: TimeAmount
    private let logger: Logger
    private let round = Mutex(Round())

    init(_ configuration: Resolver.Configuration, _ logger: Logger) {
        pause = configuration.loopPause
        self.logger = logger
    }

    /// Checks these upstreams from now on. If some are new, the next round need not wait.
    func follow(_ upstreams: Upstreams, ownName: String) {
        round.withLock { round in
            round.ownName = ownName
            let new = Set(upstreams.all).subtracting(round.tokens.values)
            round.tokens = round.tokens.filter { upstreams.all.contains($0.value) }
            for upstream in new {
                round.tokens["loop-\(String(UInt64.random(in: .min ... .max), radix: 16))"] = upstream
            }
            if !new.isEmpty { round.beganAt = .distantPast }
        }
    }

    /// Begins a round, unless one began a moment ago.
    ///
    /// - Returns: its number, and the name to ask each upstream for.
    func begin(at now: NIODeadline) -> (number: Int, questions: [(Upstream, name: String)])? {
        round.withLock { round in
            guard now >= round.beganAt + pause else { return nil }
            (round.number, round.beganAt, round.cameBack) = (round.number + 1, now, [])
            let (number, ownName) = (round.number, round.ownName)
            return (number, round.tokens.map { ($0.value, "\($0.key)-\(number).\(ownName)") })
        }
    }

    /// Whether a client's question is from this check, so that it came back.
    func hears(_ name: WireName) -> Bool {
        let label = name.firstLabel
        guard let dash = label.lastIndex(of: "-") else { return false }
        let number = Int(label[label.index(after: dash)...])
        let heard = round.withLock { round in
            round.tokens[String(label[..<dash])].map { upstream in
                (upstream, isOfThisRound: number == round.number && round.cameBack.insert(upstream).inserted)
            }
        }
        guard let (upstream, isOfThisRound) = heard else { return false }
        if isOfThisRound, upstream.with({ $0.cameBack() }) {
            logger.error(
                "The upstream \(upstream.server) asks this server back, so it is not asked for public names")
        }
        return true
    }

    /// Uses the servers again whose questions did not come back. A server that is dead or loses questions may still loop,
    /// so it is asked again within a minute.
    func judge(_ number: Int) {
        let silent = round.withLock { round in
            round.number == number ? round.tokens.values.filter { !round.cameBack.contains($0) } : []
        }
        for upstream in silent {
            guard upstream.with({ $0.stoppedLooping() }) else { continue }
            logger.notice(
                "The upstream \(upstream.server) no longer asks this server, so it is asked for all names again"
            )
        }
    }
}
