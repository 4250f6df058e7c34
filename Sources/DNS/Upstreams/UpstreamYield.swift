package import NIOCore

/// What questions of clients brought from one upstream on one event loop: whether it looks anything up, as opposed to
/// whether it answers at all.
struct UpstreamYield {
    /// So many places have to be asked for in vain: one whose own servers are broken says nothing of the upstream.
    static let enough = 5

    /// When it last told an address, or that there is none.
    private var useful: NIODeadline?
    /// Places that it looked up in vain since, and when first: the last two labels of names, as hashes.
    private var fruitless: [(place: Int, at: NIODeadline)] = []
    private var lastFruitless = NIODeadline.uptimeNanoseconds(0)

    mutating func wasUseful(at now: NIODeadline) {
        useful = now
        if !fruitless.isEmpty { fruitless.removeAll() }
    }

    mutating func wasFruitless(_ name: WireName, at now: NIODeadline) {
        lastFruitless = now
        guard fruitless.count < Self.enough else { return }
        var hasher = Hasher()
        let start = name.labelCount > 2 ? Int(name.labels[name.labelCount - 2]) : 0
        hasher.combine(bytes: UnsafeRawBufferPointer(start: name.bytes + start, count: name.length - start))
        let place = hasher.finalize()
        if !fruitless.contains(where: { $0.place == place }) { fruitless.append((place, now)) }
    }

    /// What all event loops found together.
    static func sum(_ parts: [UpstreamYield], at now: NIODeadline) -> UpstreamUse {
        let useful = parts.compactMap(\.useful).max()
        let since = parts.flatMap(\.fruitless).filter { one in useful.map { one.at > $0 } ?? true }
        let first = since.map(\.at).min() ?? now
        let isPoor =
            Set(since.map(\.place)).count >= enough && first + UpstreamUse.patience <= now
            && (parts.map(\.lastFruitless).max() ?? now) + UpstreamUse.memory > now
        return UpstreamUse(
            lastUseful: useful.map { now - $0 }, hasFailedSince: !since.isEmpty,
            fruitlessFor: isPoor ? now - first : nil)
    }
}

/// Of what use an upstream was to those who asked lately.
package struct UpstreamUse: Hashable, Sendable {
    /// How long nothing useful may come before that is amiss, and how long that is said when nobody asks any more.
    package static let patience = TimeAmount.seconds(60)
    static let memory = TimeAmount.minutes(10)

    /// How long ago; nil: it never was.
    package var lastUseful: TimeAmount?
    /// Whether something was asked in vain since.
    package var hasFailedSince: Bool
    /// How long it has answered several questions, and none of them with what was asked for; nil: that is not so.
    package var fruitlessFor: TimeAmount?

    package init(lastUseful: TimeAmount? = nil, hasFailedSince: Bool = false, fruitlessFor: TimeAmount? = nil)
    {
        self.lastUseful = lastUseful
        self.hasFailedSince = hasFailedSince
        self.fruitlessFor = fruitlessFor
    }
}

extension Resolver {
    /// Of what use each upstream was; those that nobody asked are in it too.
    package func upstreamUse() async -> [UpstreamServer: UpstreamUse] {
        let parts = await loops.ask { loop in
            [loop.upstreams(.world), loop.upstreams(.home)].flatMap(\.all).map { ($0.server, $0.yield) }
        }.flatMap { $0 }
        let now = NIODeadline.now()
        return Dictionary(grouping: parts, by: \.0).mapValues { UpstreamYield.sum($0.map(\.1), at: now) }
    }
}
