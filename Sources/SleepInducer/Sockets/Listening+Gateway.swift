import LocalNetwork

extension Listening {
    /// The addresses on some interfaces to which questions can be led: never link-local ones, which need a zone.
    func desk(towards interfaces: [String], port: Int) -> GatewayRules.Desk {
        let found = machine.filter {
            interfaces.contains($0.interface) && addresses.contains($0.bindText) && $0.isUseful
        }
        return GatewayRules.Desk(
            v4: found.first { !$0.isIPv6 }?.address, v6: found.first { $0.isIPv6 }?.address, port: port)
    }
}
