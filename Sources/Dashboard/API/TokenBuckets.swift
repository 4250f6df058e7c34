import Store
import Synchronization

/// How often a token may be used: so many at once, then so many a second. Time is monotonic, and handed in.
final class TokenBuckets: Sendable {
    private struct Bucket {
        var level: Double
        var filledAt: Double
    }

    private let burst: Double
    private let perSecond: Double
    private let buckets = Mutex<[APIToken.ID: Bucket]>([:])

    /// 1,200 at once, then 20 a second.
    init(burst: Double = 1_200, perSecond: Double = 20) {
        self.burst = burst
        self.perSecond = perSecond
    }

    /// Takes one; nil: it was there. Else the whole seconds after which there is one again.
    /// - Parameter now: seconds of a clock that never goes back.
    func wait(for token: APIToken.ID, at now: Double) -> Int? {
        buckets.withLock { buckets in
            var bucket = buckets[token] ?? Bucket(level: burst, filledAt: now)
            bucket.level = min(burst, bucket.level + max(0, now - bucket.filledAt) * perSecond)
            bucket.filledAt = max(now, bucket.filledAt)
            defer { buckets[token] = bucket }
            guard bucket.level >= 1 else { return max(1, Int(((1 - bucket.level) / perSecond).rounded(.up))) }
            bucket.level -= 1
            return nil
        }
    }
}
