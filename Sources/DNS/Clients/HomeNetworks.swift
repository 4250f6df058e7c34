import Directory

/// Who is at home: the one rule for DNS, for the pages and for what is relayed.
///
/// At home are this machine, devices on the links of its home interfaces, and private addresses behind another router
/// of the home. Not at home are the internet and the links of other interfaces.
package struct HomeNetworks: Sendable, Equatable {
    private let own: Set<ClientAddress>
    private let near: [AddressRange]
    private let away: [AddressRange]

    /// - Parameters:
    ///   - own: this machine's addresses.
    ///   - near: the networks of its home interfaces.
    ///   - away: the networks of its other interfaces, without link-local ones, which every interface has.
    package init(own: Set<ClientAddress> = [], near: [AddressRange] = [], away: [AddressRange] = []) {
        self.own = own
        self.near = near
        self.away = away
    }

    package func has(_ client: ClientAddress) -> Bool {
        if own.contains(client) || isNear(client) { return true }
        return client.isNeighbour && !away.contains { $0.contains(client) }
    }

    /// Whether it shares a link with this machine, so that the kernel knows its hardware address. Link-local addresses
    /// are served on home interfaces only.
    func isNear(_ client: ClientAddress) -> Bool {
        near.contains { $0.contains(client) } || client.isLinkLocal
    }
}
