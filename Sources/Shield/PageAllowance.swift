import NIOCore
import Policy

/// How many pages one event loop renders for one holder, or how many actions it takes from it: a page costs a
/// hundred times what a line of text does, an action waits for the disk, and the same loops answer DNS.
struct PageAllowance {
    private let count: Int
    private let window: UInt64
    private var current: UInt64 = 0
    private var taken: [Holder: Int] = [:]

    init(perSecond: Int) {
        self.init(perSecond, seconds: 1)
    }

    /// - Parameter seconds: how long one share lasts.
    init(_ count: Int, seconds: UInt64) {
        self.count = count
        window = seconds * 1_000_000_000
    }

    /// Takes one; false where the holder has had its share of this second.
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
