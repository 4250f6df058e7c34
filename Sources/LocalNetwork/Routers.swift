package import Directory
import Synchronization

/// The addresses of the home's router: it asks for everything behind it, so that the rule for new devices does not
/// count for it.
///
/// A router keeps the first hardware address at which this server saw it since its start. A device that announces the
/// router's address later (ARP, RFC 826; NDP, RFC 4861) is not the router.
package final class Routers: Sendable {
    private let gateways: @Sendable () -> [IPAddress]
    private let hardware = Mutex<[IPAddress: MACAddress]>([:])

    /// - Parameter gateways: the next hops of the default routes.
    package init(_ gateways: @escaping @Sendable () -> [IPAddress]) { self.gateways = gateways }

    /// All addresses that come with a router's hardware address.
    package func addresses(_ neighbours: Neighbours) -> Set<IPAddress> {
        let all = gateways()
        // Anybody on the network can announce a router for IPv6 (RFC 4861, 4.2): it counts where there is none for IPv4.
        let counted = all.contains(where: \.isV4) ? all.filter(\.isV4) : all
        let routers = hardware.withLock { hardware in
            for gateway in counted { hardware[gateway] = hardware[gateway] ?? neighbours[gateway] }
            return Set(counted.compactMap { hardware[$0] })
        }
        return Set(neighbours.hardware.filter { routers.contains($0.value) }.keys)
    }
}
