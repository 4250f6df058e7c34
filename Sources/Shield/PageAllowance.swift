import Directory
import NIOCore
import Policy

/// A rate limit per event loop and holder, for pages or actions: a page costs a hundred times as much as a line of
/// text, an action waits for the disk, and the same loops answer DNS.
struct PageAllowance {
    private let count: Int
    private let window: UInt64
    private var current: UInt64 = 0
    private var taken: [Holder: Int] = [:]

    init(perSecond: Int) {
        self.init(perSecond, seconds: 1)
    }

    /// - Parameter seconds: the length of the interval to which `count` applies.
    init(_ count: Int, seconds: UInt64) {
        self.count = count
        window = seconds * 1_000_000_000
    }

    /// Counts one; false if the holder has used up the current interval.
    mutating func take(_ holder: Holder, at now: NIODeadline) -> Bool {
        let present = now.uptimeNanoseconds / window
        if present != current {
            current = present
            taken.removeAll(keepingCapacity: true)
        }
        let soFar = taken[holder, default: 0]
        guard soFar < count else { return false }
        taken[holder] = soFar + 1
        return true
    }
}
