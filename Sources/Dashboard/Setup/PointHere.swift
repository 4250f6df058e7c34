import Foundation
import Hummingbird

/// How to point a device here, for the partial `point-here`: the steps of the asking system come first
/// and are open.
package struct PointHere: Sendable {
    /// This server's address for a phone's settings; nil if it has only a name.
    package let dnsServer: String?
    /// Whether its ports are of no use to phones.
    package let isTrial: Bool
    /// Whether this server answers no DNS at all.
    package let isOff: Bool
    let system: ClientSystem
    /// The steps of each system, those of the asking one first.
    let systems: [Steps]
    /// The steps of the asking television or console; nil for everything else.
    let screen: ScreenSteps?
    /// Those of the other televisions and consoles.
    let screens: [ScreenSteps]
    /// Whether the asking device is a phone or a tablet.
    let isMobile: Bool

    /// The asking device's address and its router, which people must type on Android; nil if either is unknown.
    let fixed: Fixed?

    struct Fixed {
        let address: String
        let gateway: String

        /// - Parameter routers: addresses of the network's routers.
        init?(address: String?, routers: Set<String>) {
            func network(_ address: String) -> Substring? {
                address.contains(":") ? nil : address.lastIndex(of: ".").map { address[..<$0] }
            }
            let near = routers.filter { router in
                address.flatMap(network).map { $0 == network(router) } ?? false
            }
            guard let address, near.count == 1, let gateway = near.first, gateway != address else {
                return nil
            }
            self.address = address
            self.gateway = gateway
        }
    }

    struct Steps {
        let isOpen: Bool
        let isIOS: Bool
        let isAndroid: Bool
        let isMac: Bool
        let isWindows: Bool
        let isLinux: Bool

        init(_ system: ClientSystem, isOpen: Bool) {
            self.isOpen = isOpen
            isIOS = system == .ios
            isAndroid = system == .android
            isMac = system == .mac
            isWindows = system == .windows
            isLinux = system == .linux
        }
    }

    /// `server` is the dashboard's own address, for example `http://192.168.1.5`.
    ///
    /// - Parameters:
    ///   - address: the asking device's.
    ///   - routers: those of the network.
    ///   - isBehindProxy: whether a reverse proxy has the port of the pages that devices use.
    ///   - isBehindForwarder: whether a forwarder has the port of DNS that devices use.
    package init(
        server: String, system: ClientSystem = .other, dnsPort: Int? = 53, address: String? = nil,
        routers: Set<String> = [], isBehindProxy: Bool = false, isBehindForwarder: Bool = false
    ) {
        fixed = Fixed(address: address, routers: routers)
        let url = URL(string: server)
        dnsServer = url?.host().flatMap(NetworkAddress.canonical)
        isTrial =
            url?.port != nil && !isBehindProxy || dnsPort.map { $0 != 53 } ?? false && !isBehindForwarder
        isOff = dnsPort == nil
        self.system = system
        screen = ScreenSteps(system, server: dnsServer, isOpen: true)
        screens = ScreenSteps.all(server: dnsServer, without: system)
        let personal: [ClientSystem] = [.ios, .android, .mac, .windows, .linux]
        let others = personal.filter { $0 != system }
        let own = personal.contains(system) ? [Steps(system, isOpen: true)] : []
        systems = own + others.map { Steps($0, isOpen: false) }
        isMobile = system == .ios || system == .android
    }
}

extension PointHere {
    init(
        _ request: Request, _ configuration: HomeSite.Configuration, _ network: NetworkFacts,
        _ address: String? = nil
    ) {
        self.init(
            server: configuration.address, system: ClientSystem(request), dnsPort: network.dnsPort,
            address: address, routers: network.routers().subtracting(network.own()),
            isBehindProxy: network.isBehindProxy, isBehindForwarder: network.isBehindForwarder)
    }
}
