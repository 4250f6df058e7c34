import Directory

/// How often a client asked for names of a tag since the last collection.
package struct Count: Hashable, Sendable {
    package var client: ClientAddress
    /// The tag of its `CountedName`; names without an app are not counted.
    package var tag: UInt32
    package var blocked: Bool
    package var queries: Int
}

/// Sums over all event loops since the start.
package struct Metrics: Sendable, Equatable {
    package var queries = 0
    /// Answered by a `block` or `null` rule.
    package var blocked = 0
    /// Sent to an upstream; coalesced queries of an event loop count once.
    package var forwarded = 0
    package var cacheHits = 0
    /// Answered from an expired entry because every upstream failed.
    package var stale = 0
    /// Every upstream failed, and there was no stale answer.
    package var failures = 0
    /// Answered FORMERR, NOTIMP, REFUSED or BADVERS, or dropped in silence.
    package var refused = 0

    package init() {}

    package static func += (sum: inout Metrics, other: Metrics) {
        sum.queries += other.queries
        sum.blocked += other.blocked
        sum.forwarded += other.forwarded
        sum.cacheHits += other.cacheHits
        sum.stale += other.stale
        sum.failures += other.failures
        sum.refused += other.refused
    }
}

/// The event loops' notes of one collection.
package struct Collected: Sendable {
    package var counts: [Count] = []
    /// Every client that asked since the last collection, enrolled or not (at most 4,096 per event loop).
    package var clients: Set<ClientAddress> = []
    package var metrics = Metrics()
    /// Names that a block rule refused, once for each client (at most 512 per event loop).
    package var refused: [RefusedName] = []
    package var checkQuestions: [CheckQuestion] = []
    package var evasionSigns: [EvasionSign] = []
    /// Clients that name the device for which they ask, but are no configured forwarders (at most 32 per event loop).
    package var unbelieved: Set<ClientAddress> = []
}
