extension GatewayRules {
    /// The one table that is ours.
    package static let tableName = "sleep_inducer"

    /// Sets of addresses that are read back after a crash begin so.
    static let rejectedPrefix = "rejected_"

    /// What nft is told; it replaces everything that the table held.
    var table: RuleTable {
        var table = RuleTable(name: Self.tableName)
        addSets(&table)
        table.chain("ask", .init(type: "nat", name: "prerouting", priority: -110))
        table.chain("pass", .init(type: "filter", name: "forward", priority: -10))
        let chains = ["ask_here", "leaving", "arriving", "spoil", "refuse", "deny", "enrolled"]
        for chain in chains + groups.indices.map({ "group_\($0)" }) { table.chain(chain) }
        addQuestions(&table)
        addPassage(&table)
        addEnrolled(&table)
        addRefusal(&table)
        return table
    }

    private var home: FieldValue { .anyOf(interfaces.sorted().map { .text($0) }) }
    // By numbers: nft looks names up in /etc/protocols, which a small Debian does not have.
    private static let (tcp, udp) = (FieldValue.number(6), FieldValue.number(17))
    private static let icmp = FieldValue.anyOf([.number(1), .number(58)])
    private static let tcpOrUDP = RuleStep.equals(.transport, .anyOf([tcp, udp]))

    private func addSets(_ table: inout RuleTable) {
        let everybody = Group(
            hardware: Set(groups.flatMap(\.hardware)), lentHardware: Set(groups.flatMap(\.lentHardware)),
            addresses: Set(groups.flatMap(\.addresses)), rejected: [:])
        Self.addMembers(&table, "enrolled", everybody)
        for family in AddressFamily.allCases {
            // Apart, because nft refuses a set in which a prefix holds an address that stands there too.
            let resolvers = encryptedResolvers.of(family)
            table.set(
                "resolvers_\(family)", family.setType,
                resolvers.filter { !$0.contains("/") }.map { .init($0) })
            table.set(
                "resolver_networks_\(family)", family.setType,
                resolvers.filter { $0.contains("/") }.map { .init($0) }, isInterval: true)
        }
        for (index, group) in groups.enumerated() {
            Self.addMembers(&table, "members_\(index)", group)
            for family in AddressFamily.allCases {
                let elements = Set(group.rejected.keys).of(family).map { address in
                    RuleTable.Element(address, comment: group.rejected[address].flatMap(Self.comment))
                }
                table.set("\(Self.rejectedPrefix)\(index)_\(family)", family.setType, elements)
            }
        }
    }

    private static func addMembers(_ table: inout RuleTable, _ name: String, _ group: Group) {
        for (kind, hardware) in [("hardware", group.hardware), ("lent", group.lentHardware)] {
            let elements = hardware.filter(isHardwareAddress).sorted().map { RuleTable.Element($0) }
            table.set("\(name)_\(kind)", .hardware, elements)
        }
        for family in AddressFamily.allCases {
            table.set("\(name)_\(family)", family.setType, group.addresses.of(family).map { .init($0) })
        }
    }

    /// A name that is too long for a comment loses labels at its front: what is left is a parent of it.
    private static func comment(_ name: String) -> String? {
        var rest = Substring(name)
        while rest.utf8.count > RuleTable.longestComment {
            guard let dot = rest.firstIndex(of: ".") else { return nil }
            rest = rest[rest.index(after: dot)...]
        }
        return rest.isEmpty ? nil : String(rest)
    }

    /// Whatever DNS server they ask, it is this one that answers.
    private func addQuestions(_ table: inout RuleTable) {
        for steps in Self.members("enrolled") {
            table.rule("ask", [.equals(.incomingInterface, home)] + steps + [.go(to: "ask_here")])
        }
        // Who asks one of this machine's own addresses gets the answer from there.
        if desk.port == 53 {
            table.rule("ask_here", .equals(.destinationKind, .text("local")), .back)
        }
        for family in AddressFamily.allCases {
            guard let address = desk.address(family) else { continue }
            table.rule(
                "ask_here", .equals(.family, .text(family.metaName)), Self.tcpOrUDP,
                .equals(.destinationPort, .number(53)),
                .translateDestination(family, address, port: desk.port))
        }
    }

    /// Only what this machine passes on; what is meant for itself never comes by here.
    private func addPassage(_ table: inout RuleTable) {
        table.rule("pass", .equals(.incomingInterface, home), .jump("leaving"))
        table.rule("pass", .equals(.outgoingInterface, home), .jump("arriving"))
        for steps in Self.members("enrolled") { table.rule("leaving", steps + [.go(to: "enrolled")]) }
        for index in groups.indices where !groups[index].rejected.isEmpty {
            for family in AddressFamily.allCases {
                table.rule(
                    "arriving", .equals(.destination(family), .inSet("members_\(index)_\(family)")),
                    .equals(.source(family), .inSet("\(Self.rejectedPrefix)\(index)_\(family)")),
                    .go(to: "spoil"))
            }
        }
    }

    private func addEnrolled(_ table: inout RuleTable) {
        // 53 is what could not be led here: a flow from before, a family on which nobody listens.
        table.rule(
            "enrolled", Self.tcpOrUDP, .equals(.destinationPort, .anyOf([.number(53), .number(853)])),
            .go(to: "deny"))
        for family in AddressFamily.allCases {
            for set in ["resolvers_\(family)", "resolver_networks_\(family)"] {
                table.rule(
                    "enrolled", Self.tcpOrUDP, .equals(.destination(family), .inSet(set)), .go(to: "deny"))
            }
        }
        for index in groups.indices {
            for steps in Self.members("members_\(index)") {
                // Of who is one device by address and another by hardware address, both are refused.
                table.rule("enrolled", steps + [.jump("group_\(index)")])
            }
            for family in AddressFamily.allCases {
                table.rule(
                    "group_\(index)",
                    .equals(.destination(family), .inSet("\(Self.rejectedPrefix)\(index)_\(family)")),
                    .go(to: "refuse"))
            }
        }
    }

    /// What a device sends is refused, in flows that are open too. What comes to it over TCP arrives with a sequence
    /// number of nowhere: no byte of it is taken, but the device answers with what it has (RFC 9293, 3.10.7.4), and
    /// learns by a reset that the connection has gone, instead of waiting for more.
    private func addRefusal(_ table: inout RuleTable) {
        table.rule("spoil", .equals(.transport, Self.tcp), .has(.tcpFlags, "rst"), .back)
        table.rule("spoil", .equals(.transport, Self.tcp), .overwrite(.tcpSequence, 0))
        // A QUIC server goes on sending for a while to whom it does not hear.
        table.rule(
            "spoil", .equals(.transport, Self.udp), .equals(.sourcePort, .number(443)), .go(to: "deny"))
        // A call that began before goes on; QUIC is no call.
        table.rule(
            "refuse", .equals(.transport, Self.udp), .differs(.destinationPort, .number(443)),
            .has(.connectionState, "established"), .back)
        table.rule(
            "refuse", .equals(.transport, Self.icmp),
            .has(.connectionState, "related"), .back)
        table.rule("refuse", .go(to: "deny"))
        // The device's own reset tells the server that nobody reads any more.
        table.rule("deny", .equals(.transport, Self.tcp), .has(.tcpFlags, "rst"), .back)
        table.rule("deny", .equals(.transport, Self.tcp), .resetConnection)
        table.rule("deny", .prohibit)
    }

    /// Each way to tell that a packet comes from one of them.
    private static func members(_ name: String) -> [[RuleStep]] {
        let isIPv6 = RuleStep.equals(.family, .text(AddressFamily.v6.metaName))
        return [[.equals(.hardwareSource, .inSet("\(name)_hardware"))]]
            + AddressFamily.allCases.map { [.equals(.source($0), .inSet("\(name)_\($0)"))] }
            + [[isIPv6, .equals(.hardwareSource, .inSet("\(name)_lent"))]]
    }
}

extension Set<String> {
    /// Those of a family that are addresses or prefixes indeed: one that is none would cost the whole table.
    fileprivate func of(_ family: AddressFamily) -> [String] {
        filter { text in
            let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard let address = AddressBytes(text: parts[0]), parts.count <= 2 else { return false }
            let bits = address.bytes.count * 8
            guard (bits == 32) == (family == .v4) else { return false }
            return parts.count == 1 || Int(parts[1]).map { (1...bits).contains($0) } ?? false
        }.sorted()
    }
}

/// Whether it is six bytes in hexadecimal digits with colons between.
private func isHardwareAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
}
