import Synchronization

/// So many in a period for each holder: `burst` at once, and as many again spread over each period. Time is monotonic
/// and injected.
package final class Rate<Key: Hashable & Sendable>: Sendable {
    private struct Bucket {
        var level: Double
        var filledAt: Double
    }

    /// When so many holders are known, those with a full bucket are forgotten.
    private static var mostBuckets: Int { 1024 }

    private let burst: Double
    private let perSecond: Double
    private let buckets = Mutex<[Key: Bucket]>([:])

    package init(burst: Int, perSeconds seconds: Double) {
        self.burst = Double(burst)
        perSecond = Double(burst) / seconds
    }

    /// Takes one; nil if there was one. Else the whole seconds until the next one.
    /// - Parameter now: seconds of a clock that never goes back.
    package func wait(for key: Key, at now: Double) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= Self.mostBuckets {
                buckets = buckets.filter { level($0.value, at: now) < burst }
            }
            let known = buckets[key] ?? Bucket(level: burst, filledAt: now)
            let left = level(known, at: now)
            let hasOne = left >= 1
            buckets[key] = Bucket(level: hasOne ? left - 1 : left, filledAt: max(now, known.filledAt))
            return hasOne ? nil : max(1, Int(((1 - left) / perSecond).rounded(.up)))
        }
    }

    private func level(_ bucket: Bucket, at now: Double) -> Double {
        min(burst, bucket.level + max(0, now - bucket.filledAt) * perSecond)
    }
}
