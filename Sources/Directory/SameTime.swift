/// Finds hardware addresses behind which several IPv4 addresses are in use at the same time.
///
/// A device that gets another address stops using the one before: their times do not overlap. In memory only, and losing it
/// loses no rule: each device behind a shared hardware address has the rules of all of them.
package struct SameTime: Sendable {
    /// For so many seconds the times of two addresses have to overlap: what is seen in one round has no order.
    package static let overlap = 3.0
    /// An address that was not seen for so many seconds is not in use any more.
    package static let silence = 60.0
    /// A bound on memory: hardware addresses are anybody's to make up.
    static let limit = 4_096

    /// When the first address was noted; nil: none was.
    package private(set) var since: Double?
    private var times: [MACAddress: [IPAddress: (first: Double, last: Double)]] = [:]

    package init() {}

    /// Notes that an IPv4 address was seen.
    ///
    /// - Parameter now: in seconds.
    package mutating func note(_ address: IPAddress, _ hardware: MACAddress, at now: Double) {
        since = since ?? now
        guard address.isV4 else { return }
        var known = (times[hardware] ?? [:]).filter { abs(now - $0.value.last) <= Self.silence }
        known[address] = (known[address]?.first ?? now, now)
        if times.count >= Self.limit, times[hardware] == nil { times.removeAll() }
        times[hardware] = known
    }

    /// The addresses that are in use at the same time as another one; empty: it is one device's.
    package func addresses(behind hardware: MACAddress) -> Set<IPAddress> {
        let known = times[hardware] ?? [:]
        guard known.count > 1 else { return [] }
        let overlapping = known.filter { address, time in
            known.contains { other, its in
                other != address && min(time.last, its.last) - max(time.first, its.first) >= Self.overlap
            }
        }
        return Set(overlapping.keys)
    }

    /// The IPv4 address that came last with one of some hardware addresses; nil where none was seen since the start.
    package func latest(of hardware: [MACAddress]) -> IPAddress? {
        hardware.flatMap { times[$0] ?? [:] }.max { $0.value.last < $1.value.last }?.key
    }
}
