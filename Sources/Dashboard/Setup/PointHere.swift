import Foundation
import Hummingbird

/// How to point a device here, for the partial `point-here` (design.md, T-05): the steps of the asking system are open.
package struct PointHere: Sendable {
    /// This server's address for a phone's settings; nil if it has only a name.
    package let dnsServer: String?
    /// Whether its ports are ones that no phone can use.
    package let isTrial: Bool
    /// Whether this server answers no DNS at all.
    package let isOff: Bool
    package let isIOS: Bool
    package let isAndroid: Bool
    package let isMac: Bool
    package let isWindows: Bool
    package let isLinux: Bool

    /// `server` is the dashboard's own address, for example `http://192.168.1.5`.
    package init(server: String, system: ClientSystem = .other, dnsPort: Int? = 53) {
        let url = URL(string: server)
        dnsServer = url?.host().flatMap(NetworkAddress.canonical)
        isTrial = url?.port != nil || dnsPort.map { $0 != 53 } ?? false
        isOff = dnsPort == nil
        isIOS = system == .ios
        isAndroid = system == .android
        isMac = system == .mac
        isWindows = system == .windows
        isLinux = system == .linux
    }
}

extension PointHere {
    init(_ request: Request, _ configuration: HomeSite.Configuration, _ network: NetworkFacts) {
        self.init(
            server: configuration.address, system: ClientSystem(request), dnsPort: network.dnsPort)
    }
}
