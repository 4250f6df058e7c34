extension GatewayRules {
    /// Our only table.
    package static let tableName = "sleep_inducer"

    /// The name prefix of the address sets that are read back after a crash.
    static let rejectedPrefix = "rejected_"

    /// The table for nft; it replaces everything that the table held.
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
    // Numbers, because nft looks names up in /etc/protocols, which a small Debian lacks.
    private static let (tcp, udp) = (FieldValue.number(6), FieldValue.number(17))
    private static let icmp = FieldValue.anyOf([.number(1), .number(58)])
    private static let tcpOrUDP = RuleStep.equals(.transport, .anyOf([tcp, udp]))

    private func addSets(_ table: inout RuleTable) {
        let everybody = Group(
            hardware: Set(groups.flatMap(\.hardware)), sharedHardware: Set(groups.flatMap(\.sharedHardware)),
            addresses: Set(groups.flatMap(\.addresses)), rejected: [:])
        Self.addMembers(&table, "enrolled", everybody)
        for family in AddressFamily.allCases {
            table.set("placed_\(family)", family.setType, placed.of(family).map { .init($0) })
            // Two sets, because nft refuses a set in which a prefix contains another element.
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
        for (kind, hardware) in [("hardware", group.hardware), ("shared", group.sharedHardware)] {
            let elements = hardware.filter(isHardwareAddress).sorted().map { RuleTable.Element($0) }
            table.set("\(name)_\(kind)", .hardware, elements)
        }
        for family in AddressFamily.allCases {
            table.set("\(name)_\(family)", family.setType, group.addresses.of(family).map { .init($0) })
        }
    }

    /// A name that is too long for a comment loses labels at its front: the rest is a parent name.
    private static func comment(_ name: String) -> String? {
        var rest = Substring(name)
        while rest.utf8.count > RuleTable.longestComment {
            guard let dot = rest.firstIndex(of: ".") else { return nil }
            rest = rest[rest.index(after: dot)...]
        }
        return rest.isEmpty ? nil : String(rest)
    }

    /// Whatever DNS server a device asks, this server answers.
    private func addQuestions(_ table: inout RuleTable) {
        for steps in Self.members("enrolled") {
            table.rule("ask", [.equals(.incomingInterface, home)] + steps + [.go(to: "ask_here")])
        }
        // A question to one of this machine's own addresses is answered from that address.
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

    /// Only forwarded packets; packets for this machine itself never come here.
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
        // Port 53 here: a connection from before, or a family on which this server does not listen.
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
                // If address and hardware address belong to different devices, both groups' rules apply.
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

    /// Rejects what a device sends, also on open connections. What arrives for it over TCP gets a wrong sequence
    /// number: the device accepts no byte of it but answers with its true number (RFC 9293, 3.10.7.4), and so learns by
    /// a reset that the connection has gone, instead of waiting.
    private func addRefusal(_ table: inout RuleTable) {
        table.rule("spoil", .equals(.transport, Self.tcp), .has(.tcpFlags, "rst"), .back)
        table.rule("spoil", .equals(.transport, Self.tcp), .overwrite(.tcpSequence, 0))
        // A QUIC server keeps sending for a while to a client that does not hear it.
        table.rule(
            "spoil", .equals(.transport, Self.udp), .equals(.sourcePort, .number(443)), .go(to: "deny"))
        // A call that began before goes on; QUIC is not a call.
        table.rule(
            "refuse", .equals(.transport, Self.udp), .differs(.destinationPort, .number(443)),
            .has(.connectionState, "established"), .back)
        table.rule(
            "refuse", .equals(.transport, Self.icmp),
            .has(.connectionState, "related"), .back)
        table.rule("refuse", .go(to: "deny"))
        // The device's own reset tells the server that its client has gone.
        table.rule("deny", .equals(.transport, Self.tcp), .has(.tcpFlags, "rst"), .back)
        table.rule("deny", .equals(.transport, Self.tcp), .resetConnection)
        table.rule("deny", .prohibit)
    }

    /// Each way to tell that a packet comes from a member.
    private static func members(_ name: String) -> [[RuleStep]] {
        [[.equals(.hardwareSource, .inSet("\(name)_hardware"))]]
            + AddressFamily.allCases.map { [.equals(.source($0), .inSet("\(name)_\($0)"))] }
            + AddressFamily.allCases.map {
                [
                    .equals(.hardwareSource, .inSet("\(name)_shared")),
                    .differs(.source($0), .inSet("placed_\($0)")),
                ]
            }
    }
}

extension Set<String> {
    /// The valid addresses and prefixes of a family: an invalid one would make nft refuse the whole table.
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

/// Whether it is six hexadecimal bytes separated by colons.
private func isHardwareAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    return parts.count == 6 && parts.allSatisfy { $0.utf8.count == 2 && UInt8($0, radix: 16) != nil }
}
