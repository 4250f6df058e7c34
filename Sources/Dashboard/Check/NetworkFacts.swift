package import Directory
package import Policy

/// What the set-up check and the pages need from the network; the executable supplies it. All addresses are canonical
/// text.
package struct NetworkFacts: Sendable {
    /// Who has which hardware address, as of the last reading.
    package var neighbours: @Sendable () -> Neighbours
    package var routers: @Sendable () -> Set<String>
    /// This machine's own addresses.
    package var own: @Sendable () -> Set<String>
    /// Whether an address is on one of this machine's networks.
    package var isAtHome: @Sendable (String) -> Bool
    /// Whether the front door admits an address.
    package var admits: @Sendable (String) -> Bool = { _ in true }
    /// Whether this machine has IPv6 beyond its own link.
    package var hasIPv6: @Sendable () -> Bool
    /// Known upstreams that ask this server in turn.
    package var loops: @Sendable () async -> [String]
    /// Asks the upstreams again.
    package var lookForLoops: @Sendable () async -> Void
    /// Nil if this server answers no DNS.
    package var dnsPort: Int?
    /// Whether a reverse proxy asks on behalf of devices, and whether a forwarder does.
    package var isBehindProxy = false
    package var isBehindForwarder = false
    /// Whether this machine routes and filters the home's packets.
    package var isGateway = false
    /// The dashboard over TLS, for example `https://sleep.home.arpa`; nil if that is not served.
    package var secureAddress: String?
    /// The HTTPS address for a device's DNS, which identifies it anywhere; nil if that is not served.
    package var queryAddress: @Sendable (DeviceID) -> String? = { _ in nil }

    package init(
        neighbours: @escaping @Sendable () -> Neighbours = { Neighbours() },
        routers: @escaping @Sendable () -> Set<String> = { [] },
        own: @escaping @Sendable () -> Set<String> = { [] },
        isAtHome: @escaping @Sendable (String) -> Bool = { _ in true },
        hasIPv6: @escaping @Sendable () -> Bool = { false },
        loops: @escaping @Sendable () async -> [String] = { [] },
        lookForLoops: @escaping @Sendable () async -> Void = {}, dnsPort: Int? = 53
    ) {
        self.neighbours = neighbours
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

    /// The key by which a visit is counted.
    func holder(of visit: Visit) -> Holder { holder(at: visit.address) }

    func holder(at address: String) -> Holder {
        IPAddress(address).map { neighbours().holder(of: $0) } ?? Holder(nil)
    }
}
