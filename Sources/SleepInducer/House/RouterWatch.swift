import NIOCore
import Synchronization

/// Whose addresses are the home's router's, where the rule for new devices is not to count because a router asks for
/// everything behind it.
///
/// One announcement (ARP, RFC 826; NDP, RFC 4861) makes anybody the router for a moment: only a hardware address that
/// the way out had at the first look, or for `settled` without a break, is believed.
final class RouterWatch: Sendable {
    static let settled = TimeAmount.minutes(10)

    private struct Gateway {
        var hardware: String
        var believedFrom: NIODeadline
    }

    private let gateways = Mutex<[String: Gateway]>([:])

    /// Takes a look and tells the addresses that have a believed hardware address.
    /// - Parameters:
    ///   - routers: the next hops of the default routes. One for IPv6 counts only where there is none for IPv4: anybody on
    ///     the network can announce one (RFC 4861, 4.2).
    ///   - hardware: the neighbour table, by canonical address.
    func addresses(routers: [String], hardware: [String: String], at now: NIODeadline = .now()) -> Set<String>
    {
        let v4 = routers.filter { !$0.contains(":") }
        let counted = v4.isEmpty ? routers : v4
        let believed = gateways.withLock { gateways in
            let isFirst = gateways.isEmpty
            for router in counted {
                // One that the kernel has not spoken with for a while has not changed.
                guard let found = hardware[router], gateways[router]?.hardware != found else { continue }
                gateways[router] = Gateway(
                    hardware: found, believedFrom: isFirst ? now : now + Self.settled)
            }
            return Set(
                gateways.filter { counted.contains($0.key) && $0.value.believedFrom <= now }.map(
                    \.value.hardware))
        }
        return Set(hardware.filter { believed.contains($0.value) }.keys)
    }
}
