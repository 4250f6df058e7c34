import Directory

/// What one event loop counts between two collections.
struct Tally {
    private struct Key: FlatKey {
        let client: ClientAddress
        let tag: UInt32
        let blocked: Bool

        func hash(seed: UInt64) -> UInt64 {
            client.hash(seed: seed ^ (UInt64(tag) << 1 | (blocked ? 1 : 0)) &* 0x9e37_79b9_7f4a_7c15)
        }
    }

    /// A bound on memory between two collections, which are a second apart.
    private static let capacity = 65_536

    private var counts = FlatTable<Key, Int>()
    var metrics = Metrics()

    mutating func count(_ client: ClientAddress, tag: UInt32, blocked: Bool) {
        let key = Key(client: client, tag: tag, blocked: blocked)
        guard counts.count < Self.capacity || counts.index(of: key) >= 0 else { return }
        let index = counts.insert(key, 0)
        counts.values[index] += 1
    }

    /// Returns the counts and clears them; the metrics continue.
    mutating func collect() -> [Count] {
        let collected = zip(counts.keys, counts.values).map { key, queries in
            Count(client: key.client, tag: key.tag, blocked: key.blocked, queries: queries)
        }
        counts.removeAll()
        return collected
    }
}
