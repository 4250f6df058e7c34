/// What a machine that routes a household does to its packets, as facts; `table` makes nftables' rules of them.
package struct GatewayRules: Hashable, Sendable {
    /// Devices to which the same holds. They are known by hardware address too, because IPv6 gives them addresses that
    /// nobody has heard of yet.
    package struct Group: Hashable, Sendable {
        package var hardware: Set<String>
        /// Those that a Wi-Fi repeater lends to others too: over IPv4 addresses tell them apart, over IPv6 nothing does.
        package var lentHardware: Set<String>
        package var addresses: Set<String>
        /// Addresses that they do not reach, each with the name for which it was answered.
        package var rejected: [String: String]

        package init(
            hardware: Set<String>, lentHardware: Set<String> = [], addresses: Set<String>,
            rejected: [String: String]
        ) {
            self.hardware = hardware
            self.lentHardware = lentHardware
            self.addresses = addresses
            self.rejected = rejected
        }
    }

    /// Where questions to other DNS servers are led: an address of this machine for each family on which it answers.
    package struct Desk: Hashable, Sendable {
        package var v4: String?
        package var v6: String?
        package var port: Int

        package init(v4: String?, v6: String?, port: Int) {
            self.v4 = v4
            self.v6 = v6
            self.port = port
        }

        func address(_ family: AddressFamily) -> String? { family == .v4 ? v4 : v6 }
    }

    /// Of this machine, towards the home.
    package var interfaces: Set<String>
    package var desk: Desk
    /// Addresses and prefixes of servers that speak DNS over HTTPS; no prefix holds another.
    package var encryptedResolvers: Set<String>
    /// All enrolled devices; nobody else's packets are looked at.
    package var groups: [Group]

    package init(
        interfaces: Set<String>, desk: Desk, encryptedResolvers: Set<String>, groups: [Group]
    ) {
        self.interfaces = interfaces
        self.desk = desk
        self.encryptedResolvers = encryptedResolvers
        self.groups = groups
    }
}
