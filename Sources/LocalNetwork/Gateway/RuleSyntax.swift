/// A JSON value for nft.
indirect enum JSONTree: Encodable, Hashable, Sendable {
    case nothing
    case number(Int)
    case text(String)
    case list([JSONTree])
    case object([String: JSONTree])

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .nothing: try container.encodeNil()
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}

/// IPv4 or IPv6.
enum AddressFamily: String, CaseIterable, Sendable {
    case v4, v6

    /// The protocol's name in rules.
    var protocolName: String { self == .v4 ? "ip" : "ip6" }
    /// The name in `meta nfproto`.
    var metaName: String { self == .v4 ? "ipv4" : "ipv6" }
    var setType: SetType { self == .v4 ? .v4 : .v6 }
}

enum SetType: String, Sendable {
    case v4 = "ipv4_addr"
    case v6 = "ipv6_addr"
    case hardware = "ether_addr"
}

/// A packet field that a rule examines.
enum PacketField: Sendable {
    case incomingInterface, outgoingInterface
    case family, transport
    case hardwareSource
    case source(AddressFamily)
    case destination(AddressFamily)
    /// For TCP and UDP; an earlier step of the rule says which.
    case destinationPort, sourcePort
    case tcpFlags, tcpSequence
    case connectionState
    /// `local`: this machine itself.
    case destinationKind

    var json: JSONTree {
        switch self {
        case .incomingInterface: Self.meta("iifname")
        case .outgoingInterface: Self.meta("oifname")
        case .family: Self.meta("nfproto")
        case .transport: Self.meta("l4proto")
        case .hardwareSource: Self.payload("ether", "saddr")
        case .source(let family): Self.payload(family.protocolName, "saddr")
        case .destination(let family): Self.payload(family.protocolName, "daddr")
        case .destinationPort: Self.payload("th", "dport")
        case .sourcePort: Self.payload("th", "sport")
        case .tcpFlags: Self.payload("tcp", "flags")
        case .tcpSequence: Self.payload("tcp", "sequence")
        case .connectionState: .object(["ct": .object(["key": .text("state")])])
        case .destinationKind:
            .object(["fib": .object(["result": .text("type"), "flags": .list([.text("daddr")])])])
        }
    }

    private static func meta(_ key: String) -> JSONTree {
        .object(["meta": .object(["key": .text(key)])])
    }

    private static func payload(_ proto: String, _ field: String) -> JSONTree {
        .object(["payload": .object(["protocol": .text(proto), "field": .text(field)])])
    }
}

/// A value that a field is compared with.
enum FieldValue: Sendable {
    case text(String)
    case number(Int)
    case anyOf([FieldValue])
    /// A named set of the table.
    case inSet(String)

    var json: JSONTree {
        switch self {
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        case .anyOf(let values): .object(["set": .list(values.map(\.json))])
        case .inSet(let name): .text("@\(name)")
        }
    }
}

/// One step of a rule, in the terms of libnftables-json(5).
enum RuleStep: Sendable {
    case equals(PacketField, FieldValue)
    case differs(PacketField, FieldValue)
    /// A flag among several is set.
    case has(PacketField, String)
    /// Goes on in that chain and comes back.
    case jump(String)
    /// Goes on there for good.
    case go(to: String)
    case back
    case resetConnection
    /// ICMP or ICMPv6, administratively prohibited.
    case prohibit
    case translateDestination(AddressFamily, String, port: Int)
    /// Overwrites a field of the packet.
    case overwrite(PacketField, Int)

    var json: JSONTree {
        switch self {
        case .equals(let field, let value): Self.match("==", field, value)
        case .differs(let field, let value): Self.match("!=", field, value)
        case .has(let field, let flag): Self.match("in", field, .text(flag))
        case .jump(let chain): .object(["jump": .object(["target": .text(chain)])])
        case .go(let chain): .object(["goto": .object(["target": .text(chain)])])
        case .back: .object(["return": .nothing])
        case .resetConnection: .object(["reject": .object(["type": .text("tcp reset")])])
        case .prohibit:
            .object(["reject": .object(["type": .text("icmpx"), "expr": .text("admin-prohibited")])])
        case .translateDestination(let family, let address, let port):
            .object([
                "dnat": .object([
                    "family": .text(family.protocolName), "addr": .text(address), "port": .number(port),
                ])
            ])
        case .overwrite(let field, let value):
            .object(["mangle": .object(["key": field.json, "value": .number(value)])])
        }
    }

    private static func match(_ comparison: String, _ field: PacketField, _ value: FieldValue) -> JSONTree {
        .object([
            "match": .object(["op": .text(comparison), "left": field.json, "right": value.json])
        ])
    }
}
