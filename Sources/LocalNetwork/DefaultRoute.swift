import Directory

/// A default route of this machine.
package struct DefaultRoute: Hashable, Sendable {
    package var interface: String
    /// Canonical text; nil on links without one.
    package var gateway: String?

    package init(interface: String, gateway: String?) {
        self.interface = interface
        self.gateway = gateway
    }

    /// IPv4 before IPv6; the first is the household's most likely way to this machine.
    package static func current() -> [DefaultRoute] {
        let fourth = fileText("/proc/net/route").flatMap(fourth)
        let sixth = fileText("/proc/net/ipv6_route").flatMap(sixth)
        return [fourth, sixth].compactMap { $0 }
    }

    static func gateways(of routes: [DefaultRoute] = current()) -> [IPAddress] {
        routes.compactMap { $0.gateway.flatMap { IPAddress($0) } }
    }

    /// The default route with the lowest metric in the text of `/proc/net/route`.
    package static func fourth(_ table: String) -> DefaultRoute? {
        var best: (metric: Int, route: DefaultRoute)?
        for line in table.split(separator: "\n").dropFirst() {
            let fields = words(line)
            guard fields.count >= 8, fields[1] == "00000000", fields[7] == "00000000",
                let flags = Int(fields[3], radix: 16), flags & 1 == 1, let metric = Int(fields[6]),
                let gateway = UInt32(fields[2], radix: 16)
            else { continue }
            // The kernel prints the four bytes as one number in this machine's byte order.
            let bytes = withUnsafeBytes(of: gateway) { AddressBytes($0) }
            let route = DefaultRoute(interface: String(fields[0]), gateway: gateway == 0 ? nil : bytes?.text)
            if best.map({ metric < $0.metric }) ?? true { best = (metric, route) }
        }
        return best?.route
    }

    /// The default route with the lowest metric in the text of `/proc/net/ipv6_route`; ignores the kernel's own reject
    /// entry on `lo`.
    package static func sixth(_ table: String) -> DefaultRoute? {
        var best: (metric: UInt32, route: DefaultRoute)?
        for line in table.split(separator: "\n") {
            let fields = words(line)
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00",
                fields[9] != "lo",
                let metric = UInt32(fields[5], radix: 16), let gateway = hex(fields[4])
            else { continue }
            let hasGateway = gateway.bytes.contains { $0 != 0 }
            let route = DefaultRoute(interface: String(fields[9]), gateway: hasGateway ? gateway.text : nil)
            if best.map({ metric < $0.metric }) ?? true { best = (metric, route) }
        }
        return best?.route
    }

    private static func hex(_ digits: Substring) -> AddressBytes? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == 32 else { return nil }
        return AddressBytes(stride(from: 0, to: 32, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
    }
}
