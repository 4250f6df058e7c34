import NIOCore

/// How many pages one event loop renders for one address: a page costs a hundred times what a line of text does, and
/// the same loops answer DNS.
struct PageAllowance {
    private let perSecond: Int
    private var second: UInt64 = 0
    private var rendered: [String: Int] = [:]

    init(perSecond: Int) {
        self.perSecond = perSecond
    }

    /// Takes one page; false where the address has had its share of this second.
    mutating func take(_ address: String, at now: NIODeadline) -> Bool {
        let current = now.uptimeNanoseconds / 1_000_000_000
        if current != second {
            second = current
            rendered.removeAll(keepingCapacity: true)
        }
        let count = rendered[address, default: 0]
        guard count < perSecond else { return false }
        rendered[address] = count + 1
        return true
    }
}
