import DNS
import Directory
import LocalNetwork

/// The interfaces of this machine that are the home's, and so who is at home.
///
/// With `--gateway` those that it names, else those with a private network; and loopback. `--bind` adds the interface of
/// every address that it names. A public IPv4 network is a provider's, and a shared one (RFC 6598) a provider's or an
/// overlay's: they are the home's where somebody named them.
struct HomeInterfaces {
    private let machine: [LocalAddress]
    private let bind: Set<String>
    private let gateway: Set<String>
    private var names: Set<String> = []

    /// - Parameter bind: canonical text; `0.0.0.0` and `::` name every address of their family.
    init(_ machine: [LocalAddress], bind: [String], gateway: [String]) {
        self.machine = machine
        self.bind = Set(bind)
        self.gateway = Set(gateway)
        names = Set(machine.filter { isFound($0) || isNamed($0) }.map(\.interface))
    }

    private func isFound(_ address: LocalAddress) -> Bool {
        address.reach == .loopback || gateway.isEmpty && address.isOfHome
    }

    private func isNamed(_ address: LocalAddress) -> Bool {
        gateway.contains(address.interface)
            || !bind.isDisjoint(with: [address.bindText, address.isIPv6 ? "::" : "0.0.0.0"])
    }

    func has(_ address: LocalAddress) -> Bool { names.contains(address.interface) }

    var networks: HomeNetworks {
        let near = machine.filter { address in
            let isPlain = address.isIPv6 || address.reach == .home
            return has(address) && address.isUseful && (isPlain || isNamed(address))
        }
        let away = machine.filter { !has($0) && $0.isUseful }
        return HomeNetworks(
            own: Set(machine.compactMap { ClientAddress($0.address) }),
            near: near.compactMap(Self.network),
            away: away.compactMap { Self.range($0, length: $0.prefixLength) })
    }

    /// IPv6 neighbours share 64 bits, also where the address alone came from a DHCP server (RFC 5942). A shared address
    /// often stands alone, and means the whole overlay.
    private static func network(_ address: LocalAddress) -> AddressRange? {
        if address.reach == .shared { return .shared }
        return range(address, length: address.isIPv6 ? min(address.prefixLength, 64) : address.prefixLength)
    }

    private static func range(_ address: LocalAddress, length: Int) -> AddressRange? {
        ClientAddress(address.address).map { AddressRange($0, length: length) }
    }
}
