package import Policy

/// What the executable knows of the network, for the set-up check and the pages. All addresses are canonical text.
package struct NetworkFacts: Sendable {
    /// Hardware addresses by neighbour.
    package var neighbours: @Sendable () -> [String: String]
    /// The holder that a connection from an address counts for.
    package var holder: @Sendable (_ address: String) -> Holder
    package var routers: @Sendable () -> Set<String>
    /// This machine's own addresses.
    package var own: @Sendable () -> Set<String>
    /// Whether an address is on one of this machine's networks.
    package var isAtHome: @Sendable (String) -> Bool
    /// Whether this machine has IPv6 beyond its own link.
    package var hasIPv6: @Sendable () -> Bool
    /// Upstreams that ask this server in turn, as far as that is known.
    package var loops: @Sendable () async -> [String]
    /// Asks the upstreams anew.
    package var lookForLoops: @Sendable () async -> Void
    /// Nil: this server answers no DNS.
    package var dnsPort: Int?
    /// Whether this machine routes the home's packets, and rules them.
    package var isGateway = false
    /// The dashboard over TLS, as in `https://sleep.home.arpa`; nil where that is not served.
    package var secureAddress: String?
    /// Where a device asks over HTTPS so that it is known by any address; nil where that is not served.
    package var queryAddress: @Sendable (DeviceID) -> String? = { _ in nil }

    package init(
        neighbours: @escaping @Sendable () -> [String: String] = { [:] },
        holder: @escaping @Sendable (String) -> Holder = { Holder($0) },
        routers: @escaping @Sendable () -> Set<String> = { [] },
        own: @escaping @Sendable () -> Set<String> = { [] },
        isAtHome: @escaping @Sendable (String) -> Bool = { _ in true },
        hasIPv6: @escaping @Sendable () -> Bool = { false },
        loops: @escaping @Sendable () async -> [String] = { [] },
        lookForLoops: @escaping @Sendable () async -> Void = {}, dnsPort: Int? = 53
    ) {
        self.neighbours = neighbours
        self.holder = holder
        self.routers = routers
        self.own = own
        self.isAtHome = isAtHome
        self.hasIPv6 = hasIPv6
        self.loops = loops
        self.lookForLoops = lookForLoops
        self.dnsPort = dnsPort
    }
}

extension NetworkFacts {
    func isRouter(_ addresses: [String]) -> Bool { !routers().isDisjoint(with: addresses) }

    /// Other addresses of the same device: this machine's own, those with the same hardware address that are surely its
    /// own, and those that the household knows.
    func siblings(of address: String, _ household: Household) -> Set<String> {
        let machine = own()
        if machine.contains(address) || address.isLoopback { return machine }
        let table = neighbours()
        let device = household.device(behind: address, neighbours: table)
        let known = Set(device?.addresses ?? []).union([address])
        guard let hardware = table[address] else { return known }
        let same = table.filter { $0.value == hardware }.keys
        let own = same.filter { household.device(behind: $0, neighbours: table)?.id == device?.id }
        // Several of IPv4 are several devices, behind a repeater that lends them its hardware address.
        let isOne = device != nil || same.count { !$0.contains(":") } < 2
        return known.union(isOne ? own : own.filter { $0.contains(":") })
    }

    /// The device that uses an address, also where it is known by another of its addresses only; nil where that is not
    /// sure.
    func device(behind address: String, in household: Household) -> Device? {
        if let device = household.asking(at: address) { return device }
        let own = own()
        if own.contains(address) { return own.sorted().lazy.compactMap { household.asking(at: $0) }.first }
        return household.device(behind: address, neighbours: neighbours())
    }
}
