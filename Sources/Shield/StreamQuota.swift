import Directory
import Policy
import Synchronization

/// Counts open streams over all event loops.
final class StreamQuota: Sendable {
    private let limits: DoorLimits
    private let counts = Mutex<[Holder: Int]>([:])

    init(limits: DoorLimits) {
        self.limits = limits
    }

    /// Takes a place; false if none is left, in all or for this holder.
    func take(_ holder: Holder) -> Bool {
        counts.withLock { counts in
            let all = counts.values.reduce(0, +)
            guard all < limits.streams, counts[holder, default: 0] < limits.streamsPerHolder else {
                return false
            }
            counts[holder, default: 0] += 1
            return true
        }
    }

    func giveBack(_ holder: Holder) {
        counts.withLock { counts in
            let left = counts[holder, default: 1] - 1
            counts[holder] = left > 0 ? left : nil
        }
    }
}
