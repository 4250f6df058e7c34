import Store
import Synchronization

/// Limits how often a token is used: `burst` requests at once, then `perSecond`. Time is monotonic and injected.
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

    /// Takes one; nil if there was one. Else the whole seconds until the next one.
    ///
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
