import Foundation
import Hummingbird

/// How a device is pointed here, for the partial `point-here` (design.md, T-05): the steps of the asking system stand
/// open.
package struct PointHere: Sendable {
    /// This server's address for a phone's settings; nil: it has a name only.
    package let dnsServer: String?
    /// Whether its ports are none that a phone could use.
    package let isTrial: Bool
    /// Whether this server answers no DNS at all.
    package let isOff: Bool
    package let isIOS: Bool
    package let isAndroid: Bool
    package let isMac: Bool
    package let isWindows: Bool
    package let isLinux: Bool

    /// `server` is the dashboard's own address, as in `http://192.168.1.5`.
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
