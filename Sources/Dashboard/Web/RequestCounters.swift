import Synchronization

/// How many requests were answered since the server's start, by class of status.
final class RequestCounters: Sendable {
    private let counts = Mutex<[Int: Int]>([:])

    func count(_ status: Int) {
        counts.withLock { $0[status / 100, default: 0] += 1 }
    }

    /// By the first digit of the status, in order.
    var byClass: [(digit: Int, count: Int)] {
        counts.withLock { $0.map { ($0.key, $0.value) } }.sorted { $0.0 < $1.0 }
    }
}
