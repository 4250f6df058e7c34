import Foundation
import Policy

/// Lets go of addresses that a device has not used for days while it used others: a phone takes a new IPv6 address every
/// day (RFC 8981), and an old one may be somebody else's by now.
///
/// It is counted from the start of this server, in memory: an address costs no write a day.
struct StaleAddresses {
    /// After how many seconds an address goes.
    static let lifetime: TimeInterval = 3 * 86_400
    /// Seconds between two looks.
    static let pause: TimeInterval = 3600
    /// A bound on memory: addresses are anybody's to make up.
    static let limit = 50_000

    private var seenAt: [String: Date] = [:]
    private var lookedAt: Date?

    mutating func note(_ addresses: some Sequence<String>, at now: Date) {
        for address in addresses where seenAt.count < Self.limit || seenAt[address] != nil {
            seenAt[address] = now
        }
    }

    /// A device that is away keeps all of its addresses, so that it is blocked at once when it is back; so does one that
    /// is known by its addresses only. Devices that passed by a day ago go as a whole, by a clock that is trusted.
    mutating func drop(from household: inout Household, at now: Date, trusted: Date) {
        guard lookedAt.map({ abs(now.timeIntervalSince($0)) >= Self.pause }) ?? true else { return }
        lookedAt = now
        household.forgetPassing(at: trusted)
        var known: [String: Date] = [:]
        for index in household.devices.indices {
            let device = household.devices[index]
            // A clock that was set back makes nothing older.
            for address in device.addresses { known[address] = min(seenAt[address] ?? now, now) }
            guard device.hardwareAddress != nil,
                device.addresses.contains(where: { isFresh(known[$0], at: now) })
            else { continue }
            household.devices[index].addresses.removeAll {
                $0 != device.addresses.first && !isFresh(known[$0], at: now)
            }
        }
        seenAt = known
    }

    private func isFresh(_ instant: Date?, at now: Date) -> Bool {
        instant.map { now.timeIntervalSince($0) < Self.lifetime } ?? false
    }
}
