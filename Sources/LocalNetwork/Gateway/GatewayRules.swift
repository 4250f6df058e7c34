/// What a gateway does to a household's packets, as facts; `table` turns them into nftables rules.
package struct GatewayRules: Hashable, Sendable {
    /// Devices with the same rules. Their hardware addresses are known too, because they use IPv6 addresses that this
    /// server has not seen yet.
    package struct Group: Hashable, Sendable {
        package var hardware: Set<String>
        /// Those that others come by too, as behind a Wi-Fi repeater: all of them count, but `placed` addresses.
        package var sharedHardware: Set<String>
        package var addresses: Set<String>
        /// Addresses that these devices cannot reach, each with the name for which it was answered.
        package var rejected: [String: String]

        package init(
            hardware: Set<String>, sharedHardware: Set<String> = [], addresses: Set<String>,
            rejected: [String: String]
        ) {
            self.hardware = hardware
            self.sharedHardware = sharedHardware
            self.addresses = addresses
            self.rejected = rejected
        }
    }

    /// Where questions to other DNS servers go: this machine's address in each family in which it answers.
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

    /// This machine's interfaces towards the home.
    package var interfaces: Set<String>
    package var desk: Desk
    /// Addresses and prefixes of servers that offer DNS over HTTPS; no prefix contains another.
    package var encryptedResolvers: Set<String>
    /// Addresses of which it is known whose they are, behind a shared hardware address.
    package var placed: Set<String>
    /// All enrolled devices; the rules ignore packets of all others.
    package var groups: [Group]

    package init(
        interfaces: Set<String>, desk: Desk, encryptedResolvers: Set<String>,
        placed: Set<String> = [], groups: [Group]
    ) {
        self.interfaces = interfaces
        self.desk = desk
        self.encryptedResolvers = encryptedResolvers
        self.placed = placed
        self.groups = groups
    }
}
