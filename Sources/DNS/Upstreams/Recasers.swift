import NIOCore
import Synchronization

/// The upstreams that change the case of letters in what they are asked, as every event loop found them.
final class Recasers: Sendable {
    private struct Evidence {
        /// Replies in a row that were right but for the case of letters.
        var replies = 0
        /// It changes the case: until then its replies are taken in any.
        var until = NIODeadline.uptimeNanoseconds(0)
    }

    /// So many replies in another case show that the server changes it. One may be a forger's, who guessed ID and port;
    /// for another, the server's own replies must have stayed away in between.
    static let enough = 3
    /// How long it is known after the last such reply.
    static let memory = TimeAmount.minutes(10)

    private let evidence = Mutex<[UpstreamServer: Evidence]>([:])
    /// Whether there is any, without a lock: nearly every home has none.
    private let hasAny = Atomic(false)

    func isKnown(_ server: UpstreamServer, at now: NIODeadline) -> Bool {
        guard hasAny.load(ordering: .relaxed) else { return false }
        return evidence.withLock { $0[server].map { $0.until > now } ?? false }
    }

    /// A datagram was right but for the case of letters.
    ///
    /// - Parameter isProven: it changed it over TCP too, where nobody else can put in a word.
    /// - Returns: whether it is known to change it, so that such a datagram is taken.
    func recased(_ server: UpstreamServer, isProven: Bool = false, at now: NIODeadline) -> Bool {
        hasAny.store(true, ordering: .relaxed)
        return evidence.withLock { all in
            var known = all[server] ?? Evidence()
            defer { all[server] = known }
            known.replies = min(known.replies + 1, Self.enough)
            guard isProven || known.replies == Self.enough || known.until > now else { return false }
            known.until = now + Self.memory
            return true
        }
    }

    /// A reply came as it was asked. Where that shows that the case is kept, other cases are a forger's again.
    func cameRight(_ attempt: Attempt, from server: UpstreamServer) {
        guard hasAny.load(ordering: .relaxed), attempt.showsCase else { return }
        keptCase(server)
    }

    func keptCase(_ server: UpstreamServer) {
        evidence.withLock { all in
            all[server] = nil
            hasAny.store(!all.isEmpty, ordering: .relaxed)
        }
    }
}
