import Directory
import Glibc

/// DNS servers on this network other than this machine and its router. This machine was told of them by DHCP or router
/// advertisement, so other devices may have been told too. Servers that it was not told of stay unknown.
package enum OtherServers {
    /// Where leases are stored: systemd-networkd, dhclient, NetworkManager.
    private static let folders = ["/run/systemd/netif/leases", "/var/lib/dhcp", "/var/lib/NetworkManager"]

    /// Addresses, link-local ones with their zone, in the order in which they were found.
    package static func current() -> [String] {
        let leases = folders.flatMap { folder in fileNames(in: folder).sorted().map { "\(folder)/\($0)" } }
        let told = leases.compactMap { fileText($0) }.flatMap(servers(inLease:))
        let settings = ["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf"]
            .compactMap { fileText($0) }.flatMap { ResolverSettings(text: $0).resolvers }
        let table = (try? NeighbourTable.current()) ?? []
        return among(
            told + settings, own: LocalAddresses.current() ?? [],
            routers: DefaultRoute.current().compactMap(\.gateway),
            hardware: Dictionary(
                table.map { ($0.address.text, $0.hardware.text) }, uniquingKeysWith: { first, _ in first }))
    }

    /// The servers on this machine's networks that are neither this machine nor a router, by address or hardware.
    package static func among(
        _ told: [String], own: [LocalAddress], routers: [String], hardware: [String: String]
    ) -> [String] {
        let routersHardware = Set(routers.compactMap { hardware[$0] })
        var found: [String] = []
        for server in told where !found.contains(server) {
            let bare = String(server.prefix { $0 != "%" })
            guard !own.contains(where: { $0.address == bare }), !routers.contains(bare),
                hardware[bare].map({ !routersHardware.contains($0) }) ?? true,
                own.contains(where: { $0.reach != .loopback && $0.isOnNetwork(bare) })
            else { continue }
            found.append(server)
        }
        return found
    }

    /// The DNS servers of a lease in the formats of systemd-networkd (`DNS=…`), dhclient (`option domain-name-servers
    /// …;`, the latest counts) and NetworkManager.
    static func servers(inLease text: String) -> [String] {
        var found: [String] = []
        for line in text.split(separator: "\n") {
            let line = line.drop { $0 == " " || $0 == "\t" }
            let value: Substring
            if line.hasPrefix("DNS=") {
                value = line.dropFirst(4)
            } else if line.hasPrefix("option domain-name-servers ") {
                value = line.dropFirst(27)
            } else {
                continue
            }
            found = value.split { ", ;".contains($0) }.compactMap { AddressBytes(text: String($0))?.text }
        }
        return found
    }
}
