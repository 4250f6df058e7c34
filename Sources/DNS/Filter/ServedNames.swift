import Directory

/// Names that this server answers alike for every client: its own, the home's, and those that RFCs reserve.
///
/// They have their own name table, because they are decided before every rule of a household.
struct ServedNames: Sendable {
    /// The kinds of a name, in order of precedence.
    struct Kinds: OptionSet {
        let rawValue: UInt64

        static let own = bit(0)
        /// A name above an own name: empty, but it exists (RFC 8020).
        static let aboveOwn = bit(1)
        static let belowOwn = bit(2)
        /// RFC 9462: never forwarded, so that no client upgrades itself past this server.
        static let resolverArpa = bit(3)
        static let localhost = bit(4)
        /// `test`, `invalid` (RFC 6761), `local` (RFC 6762), `onion` (RFC 7686).
        static let nonexistent = bit(5)
        static let home = bit(6)
        static let reverse = bit(7)
        static let mayBePrivate = bit(8)
        /// The one-time names of the set-up check, below the first own name.
        static let check = bit(9)
        /// Signs of another way to resolve (`EvasionSign`); they are answered like any other.
        static let encryptedResolver = bit(10)
        static let browserCanary = bit(11)
        static let relayCanary = bit(12)
        static let proxy = bit(13)
        static let evasion: Kinds = [.encryptedResolver, .browserCanary, .relayCanary, .resolverArpa]

        static func bit(_ index: Int) -> Kinds { Kinds(rawValue: 1 << UInt64(index)) }
    }

    let table: NameTable
    /// The first own name in wire form, the answer to PTR.
    let ownName: [UInt8]
    /// How many labels `check.` and the first own name have together.
    let checkLabels: Int

    /// - Parameter privateAnswersAllowed: suffixes for which a public upstream may answer with private addresses.
    init(_ network: Resolver.Network, privateAnswersAllowed: [String]) {
        let (ownNames, proxyNames) = (network.ownNames.all, network.ownNames.proxyNames)
        let above = ownNames.flatMap { name in
            let labels = name.split(separator: ".")
            return labels.indices.dropFirst().map { labels[$0...].joined(separator: ".") }
        }
        table = NameTable(sets: [
            NameSet(exact: ownNames), NameSet(exact: above), NameSet(suffixes: ownNames),
            NameSet(suffixes: ["resolver.arpa"]), NameSet(suffixes: ["localhost"]),
            NameSet(suffixes: ["test", "invalid", "local", "onion"]),
            NameSet(suffixes: Self.homeZones + network.searchDomains + Self.privateReverseZones),
            NameSet(suffixes: ["in-addr.arpa", "ip6.arpa"]),
            NameSet(suffixes: privateAnswersAllowed, exact: proxyNames),
            NameSet(suffixes: ownNames.prefix(1).map { "check.\($0)" }), CanaryNames.encryptedResolvers,
            NameSet(suffixes: [CanaryNames.browser]), NameSet(suffixes: CanaryNames.relay),
            NameSet(exact: proxyNames),
        ])
        ownName = ownNames.lazy.compactMap(WireName.wire).first ?? [0]
        checkLabels = 1 + (ownNames.first ?? "").split(separator: ".").count
    }

    static let homeZones = ["lan", "home", "internal", "fritz.box", "home.arpa"]

    /// Reverse zones of private addresses (RFC 6303), which public servers do not know.
    static let privateReverseZones =
        ["10", "127", "0", "168.192", "254.169"].map { "\($0).in-addr.arpa" }
        + (16...31).map { "\($0).172.in-addr.arpa" } + (64...127).map { "\($0).100.in-addr.arpa" }
        + ["255.255.255.255.in-addr.arpa", "c.f.ip6.arpa", "d.f.ip6.arpa"]
        + ["8", "9", "a", "b"].map { "\($0).e.f.ip6.arpa" }
        + [
            "1." + String(repeating: "0.", count: 31) + "ip6.arpa",
            String(repeating: "0.", count: 32) + "ip6.arpa",
        ]

    func kinds(of name: WireName) -> Kinds {
        Kinds(rawValue: table.firstSets(table.match(name)))
    }
}

extension ServedNames {
    /// Whether the answer to a name never depends on a household's rules: this server, the home or an RFC decides it.
    func standsBeforeRules(_ name: String) -> Bool {
        // Single labels are names of the home (RFC 6762 and every router).
        if !name.contains(".") { return true }
        guard let match = table.match(name) else { return false }
        // Reverse zones of public addresses are looked up like any other name; so are names above an own name.
        let decided: Kinds = [.own, .belowOwn, .resolverArpa, .localhost, .nonexistent, .home, .proxy]
        return !Kinds(rawValue: table.firstSets(match)).isDisjoint(with: decided)
    }
}

extension Resolver.Network {
    package func standsBeforeRules() -> @Sendable (String) -> Bool {
        ServedNames(self, privateAnswersAllowed: []).standsBeforeRules
    }
}
