import Synchronization

/// Counts open streams over all event loops.
final class StreamQuota: Sendable {
    private let limits: DoorLimits
    private let counts = Mutex<[String: Int]>([:])

    init(limits: DoorLimits) {
        self.limits = limits
    }

    /// Takes a place; false where none is left, all together or for this address.
    func take(_ address: String) -> Bool {
        counts.withLock { counts in
            let all = counts.values.reduce(0, +)
            guard all < limits.streams, counts[address, default: 0] < limits.streamsPerAddress else {
                return false
            }
            counts[address, default: 0] += 1
            return true
        }
    }

    func giveBack(_ address: String) {
        counts.withLock { counts in
            let left = counts[address, default: 1] - 1
            counts[address] = left > 0 ? left : nil
        }
    }
}
