package import DNS

/// Collects what the event loops saw and counted, and passes it on. It must be the only collector: each of two would
/// get a part.
package struct Rounds: Sendable {
    private let hasNews: @Sendable () -> Bool
    private let collect: @Sendable () async -> Collected
    private let relayed: @Sendable () async -> [Relayed]
    private let sightings: Sightings
    private let usage: UsageCollector
    private let blocked: BlockedLately?
    private let onUse: @Sendable () async -> Void
    private let onCheck: @Sendable (CheckTraces) -> Void

    /// - Parameters:
    ///   - hasNews: whether `collect` or `relayed` may have something.
    ///   - relayed: the bytes that this server relayed since the last round.
    ///   - blocked: remembers refused names for ten minutes.
    ///   - onUse: called when anybody's minutes changed, so that a limit applies as soon as it is reached.
    ///   - onCheck: called with the questions of a device's live check.
    package init(
        hasNews: @escaping @Sendable () -> Bool = { true },
        collect: @escaping @Sendable () async -> Collected,
        relayed: @escaping @Sendable () async -> [Relayed] = { [] }, sightings: Sightings,
        usage: UsageCollector, blocked: BlockedLately? = nil, onUse: @escaping @Sendable () async -> Void,
        onCheck: @escaping @Sendable (CheckTraces) -> Void = { _ in }
    ) {
        self.hasNews = hasNews
        self.collect = collect
        self.relayed = relayed
        self.sightings = sightings
        self.usage = usage
        self.blocked = blocked
        self.onUse = onUse
        self.onCheck = onCheck
    }

    /// Whether a round may do anything.
    package var areDue: Bool { hasNews() || usage.isOutdated || blocked?.isDue ?? false }

    /// One round. A device must be known before its minutes are counted.
    package func make() async {
        let collected = await collect()
        let traces = CheckTraces(collected)
        if !traces.isEmpty { onCheck(traces) }
        await sightings.note(collected.clients)
        await sightings.note(vpnOn: blocked?.note(collected.refused) ?? [])
        let hasAsked = usage.note(collected.counts)
        let hasMoved = usage.note(await relayed())
        if hasAsked || hasMoved { await onUse() }
    }

    /// The last round, with a write.
    package func finish() async {
        let collected = await collect()
        _ = usage.note(collected.counts)
        _ = usage.note(await relayed())
        usage.write()
    }
}
