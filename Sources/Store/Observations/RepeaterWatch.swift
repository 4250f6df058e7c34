import Foundation
import Policy

/// Finds Wi-Fi repeaters: a hardware address that two IPv4 addresses take turns with belongs to neither.
///
/// A device that only changes its address does not come back to the one before within seconds, and by hand nobody can do
/// that again and again. It is watched in memory; what is found is the household's.
struct RepeaterWatch {
    /// An address that is seen again within this time, and another one in between, in seconds; counted once in this time.
    static let turn: TimeInterval = 5
    /// As many turns within `span` seconds.
    static let turns = 4
    static let span: TimeInterval = 3600
    /// A bound on memory: hardware addresses are anybody's to make up.
    static let limit = 4_096

    private struct Trail {
        var latest = ""
        /// When addresses were seen, within `turn`.
        var seenAt: [String: Date] = [:]
        var turns: [(at: Date, addresses: Set<String>)] = []
    }

    private var trails: [String: Trail] = [:]

    /// The hardware addresses that turn out to be repeaters' by what was seen in one round, each with the IPv4 addresses
    /// that take turns.
    mutating func note(_ seen: [Sighting], at now: Date) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        var addresses: [String: Set<String>] = [:]
        for sighting in seen {
            guard let address = sighting.address, !address.isIPv6, let hardware = sighting.hardwareAddress
            else { continue }
            addresses[hardware, default: []].insert(address)
        }
        for (hardware, addresses) in addresses {
            var trail = trails.removeValue(forKey: hardware) ?? Trail()
            // In which order they came is not known: that of a device that changed its address once is no turn.
            let inTurn = [trail.latest].filter(addresses.contains) + addresses.subtracting([trail.latest])
            for address in inTurn { Self.follow(&trail, to: address, at: now) }
            if trail.turns.count >= Self.turns {
                found[hardware] = trail.turns.reduce(into: []) { $0.formUnion($1.addresses) }
            }
            trails[hardware] = trail
        }
        if trails.count > Self.limit { trails = trails.filter { $0.value.seenAt.values.contains(now) } }
        return found
    }

    private static func follow(_ trail: inout Trail, to address: String, at now: Date) {
        trail.seenAt = trail.seenAt.filter { abs(now.timeIntervalSince($0.value)) <= turn }
        trail.turns.removeAll { abs(now.timeIntervalSince($0.at)) > span }
        let isTurn = trail.latest != address && trail.seenAt[address] != nil
        let isCounted = trail.turns.last.map { abs(now.timeIntervalSince($0.at)) < turn } ?? false
        if isTurn, !isCounted { trail.turns.append((now, [address, trail.latest])) }
        (trail.latest, trail.seenAt[address]) = (address, now)
    }

    /// Takes apart the devices that were taken for one because they have a repeater's hardware address: what is known to
    /// be another's is that one's again. Of what is left, the device keeps the IPv4 address that it has had for longest
    /// of those that take turns; whose the others are nobody knows.
    ///
    /// - Parameter seen: knows whose addresses were before they moved.
    static func takeApart(
        _ found: [String: Set<String>], in household: inout Household, by seen: inout SeenAddresses
    ) {
        for (hardware, taking) in found {
            household.repeaters.insert(hardware)
            guard let holder = household.devices.firstIndex(where: { $0.has(hardware: hardware) }) else {
                continue
            }
            var own: [String] = []
            for address in household.devices[holder].addresses {
                let owner = seen.takeOwner(of: address).flatMap { id in
                    household.devices.firstIndex { $0.id == id }
                }
                if let owner, owner != holder {
                    household.devices[owner].take(address)
                } else {
                    own.append(address)
                }
            }
            let oldest = own.last(where: taking.contains)
            household.devices[holder].addresses = own.filter {
                $0.isIPv6 || oldest == nil || $0 == oldest
            }
        }
    }
}
