import Logging
import NIOCore
import Synchronization

/// Finds looping upstreams: asks each for a random name under our own. If the question comes back to this server, the
/// upstream asks us in turn, and is not asked any more. It is used again when a later question of this check does not
/// come back.
final class LoopCheck: Sendable {
    private struct Round {
        /// Part of the name, because an upstream may cache the answer of an earlier round.
        var number = 0
        var beganAt = NIODeadline.distantPast
        var cameBack: Set<Upstream> = []
    }

    /// The first part of each upstream's names: `loop-1f…`.
    private let tokens: [String: Upstream]
    private let ownName: String
    private let pause: TimeAmount
    private let logger: Logger
    private let round = Mutex(Round())

    init(_ configuration: Resolver.Configuration, _ upstreams: Upstreams, _ logger: Logger) {
        ownName = configuration.ownNames.first ?? ""
        pause = configuration.loopPause
        tokens = Dictionary(
            upstreams.all.map { ("loop-\(String(UInt64.random(in: .min ... .max), radix: 16))", $0) },
            uniquingKeysWith: { first, _ in first })
        self.logger = logger
    }

    /// Begins a round, unless one began a moment ago.
    ///
    /// - Returns: its number, and the name to ask each upstream for.
    func begin(at now: NIODeadline) -> (number: Int, questions: [(Upstream, name: String)])? {
        let number: Int? = round.withLock { round in
            guard now >= round.beganAt + pause else { return nil }
            round = Round(number: round.number + 1, beganAt: now)
            return round.number
        }
        return number.map { number in
            (number, tokens.map { ($0.value, "\($0.key)-\(number).\(ownName)") })
        }
    }

    /// Whether a client's question is from this check, so that it came back.
    func hears(_ name: WireName) -> Bool {
        let label = name.firstLabel
        guard let dash = label.lastIndex(of: "-"), let upstream = tokens[String(label[..<dash])] else {
            return false
        }
        let number = Int(label[label.index(after: dash)...])
        let isOfThisRound = round.withLock { round in
            number == round.number && round.cameBack.insert(upstream).inserted
        }
        if isOfThisRound, upstream.with({ $0.cameBack() }) {
            logger.error("The upstream \(upstream.server) asks this server back and is not used")
        }
        return true
    }

    /// Uses the servers again whose questions did not come back. A server that is dead or loses questions may still loop,
    /// so it is asked again within a minute.
    func judge(_ number: Int) {
        let cameBack = round.withLock { $0.number == number ? $0.cameBack : nil }
        guard let cameBack else { return }
        for upstream in tokens.values where !cameBack.contains(upstream) {
            guard upstream.with({ $0.stoppedLooping() }) else { continue }
            logger.notice(
                "The upstream \(upstream.server) no longer asks this server and is used again")
        }
    }
}
