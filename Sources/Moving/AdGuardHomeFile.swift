import Directory
import Policy
import Yams

/// `AdGuardHome.yaml`: clients, what is blocked for them, and when that is paused.
///
/// A schedule says when services are **not** blocked: one range a day, from `start` to before `end`, as durations since
/// 00:00. Schemas before 21 and 22 have a plain list of services, which is blocked always.
struct AdGuardHomeFile {
    let household: ForeignHousehold

    init(_ text: String) throws(ForeignFault) {
        try YAMLEvents.check(text)
        let root: Node?
        do { root = try Yams.compose(yaml: text) } catch let error as YamlError {
            throw .notYAML(line: Self.line(of: error))
        } catch { throw .notYAML(line: nil) }
        guard let root, root.mapping != nil else { throw .unknown }
        let filtering = root["filtering"]
        let ofTheHouse = Self.rules(filtering?["blocked_services"] ?? root["dns"]?["blocked_services"])
        guard let dns = root["dns"] else { throw .notAdGuardHome }
        // AdGuard Home writes it last, so a file without it was cut off.
        guard root["schema_version"] != nil else { throw .notYAML(line: nil) }
        guard let clients = root["clients"] else { throw .notAdGuardHome }
        // Before schema 14 the clients were the list itself.
        let persistent = (clients["persistent"] ?? clients).sequence.map(Array.init) ?? []
        household = ForeignHousehold(
            source: .adGuardHome,
            clients: persistent.prefix(ForeignHousehold.mostClients).map { Self.client($0, ofTheHouse) },
            leftovers: Self.leftovers(root, persistent), unplaced: Self.unplaced(dns, ofTheHouse))
    }

    /// What it refuses everybody, or some clients.
    private static func unplaced(_ dns: Node, _ ofTheHouse: ForeignRules) -> [ForeignHousehold.Unplaced] {
        // The names that a new AdGuard Home refuses: they tell a stranger what server it is.
        let own: Set = ["version.bind", "id.server", "hostname.bind"]
        let services = ofTheHouse.isAlwaysPaused ? [] : ofTheHouse.services
        return [
            .init(.house, services + dns["blocked_hosts"].texts.filter { !own.contains($0) }),
            .init(.refused, dns["disallowed_clients"].texts), .init(.only, dns["allowed_clients"].texts),
        ]
    }

    private static func client(_ node: Node, _ ofTheHouse: ForeignRules) -> ForeignClient {
        var client = ForeignClient(name: node["name"]?.string ?? "")
        for id in node["ids"].texts { client.add(id: id) }
        let tags = Set(node["tags"].texts)
        client.isChild = tags.contains("user_child")
        client.kind = kinds.first { tags.contains($0.key) }?.value ?? .other
        client.rules = rules(node["blocked_services"])
        if node["use_global_blocked_services"]?.bool ?? false {
            client.rules = ofTheHouse
            client.rules.areOfTheHouse = true
        }
        return client
    }

    private static let kinds: KeyValuePairs<String, Device.Kind> = [
        "device_securityalarm": .safety, "device_phone": .phone, "device_tablet": .tablet,
        "device_laptop": .computer, "device_pc": .computer, "device_tv": .television,
        "device_gameconsole": .console, "device_audio": .speaker,
    ]

    private static func rules(_ node: Node?) -> ForeignRules {
        guard let node else { return ForeignRules() }
        if node.sequence != nil { return ForeignRules(services: node.texts) }
        let schedule = node["schedule"]
        let zone = schedule?["time_zone"]?.string
        return ForeignRules(
            services: node["ids"].texts,
            pauses: Weekday.allCases.compactMap { day in
                guard let range = schedule?[day.rawValue] else { return nil }
                let start = range["start"]?.string.flatMap(GoDuration.minutes) ?? 0
                return ForeignRules.Pause(
                    day: day, start: start, end: range["end"]?.string.flatMap(GoDuration.minutes) ?? 0)
            }, zone: zone == "Local" || zone?.isEmpty == true ? nil : zone)
    }

    private static func leftovers(_ root: Node, _ clients: [Node]) -> [ForeignHousehold.Leftover: Int] {
        let (dns, filtering) = (root["dns"], root["filtering"])
        func enabled(_ key: String) -> Int {
            (root[key]?.sequence.map(Array.init) ?? []).count { $0["enabled"]?.bool ?? false }
        }
        func isOn(_ node: Node?) -> Int { node?.bool ?? false ? 1 : 0 }
        func settings(_ key: String) -> [Node?] {
            [filtering?[key], dns?[key]] + clients.map { $0[key] }
        }
        return [
            .blockLists: enabled("filters"), .allowedNames: enabled("whitelist_filters"),
            .ownRules: root["user_rules"].texts.count,
            .rewrites: (filtering?["rewrites"] ?? dns?["rewrites"])?.sequence?.count ?? 0,
            .safeSearch:
                (settings("safe_search").map { isOn($0?["enabled"]) }
                + settings("safesearch_enabled").map(isOn)).max() ?? 0,
            .familyFilter: (settings("parental_enabled") + settings("safebrowsing_enabled")).map(isOn).max()
                ?? 0,
            .upstreams: dns?["upstream_dns"].texts.count ?? 0,
            .clientUpstreams: clients.count { !$0["upstreams"].texts.isEmpty },
            .dhcp: isOn(root["dhcp"]?["enabled"]),
            .encryption: isOn(root["tls"]?["enabled"]),
            .furtherClients: max(0, clients.count - ForeignHousehold.mostClients),
        ].filter { $0.value > 0 }
    }

    private static func line(of error: YamlError) -> Int? {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        default: nil
        }
    }
}

/// Go's text of a duration, as AdGuard Home writes it: `7h30m`, `24h`, `0s`, `1h0m0s`.
enum GoDuration {
    /// Whole minutes; nil for anything else, and for more than a day.
    static func minutes(_ text: String) -> Int? {
        guard let match = text.wholeMatch(of: /(?:(\d{1,4})h)?(?:(\d{1,4})m)?(?:(\d{1,5})s)?/), !text.isEmpty
        else { return nil }
        func part(_ part: Substring?) -> Int { part.flatMap { Int($0) } ?? 0 }
        let seconds = part(match.1) * 3_600 + part(match.2) * 60 + part(match.3)
        return seconds <= 86_400 && seconds % 60 == 0 ? seconds / 60 : nil
    }
}

extension Node? {
    /// The texts of a list, or none.
    fileprivate var texts: [String] { self?.texts ?? [] }
}

extension Node {
    fileprivate var texts: [String] {
        sequence?.prefix(10_000).compactMap { $0.scalar?.string } ?? []
    }
}

extension ForeignClient {
    /// Sorts an id to what it is: a hardware address, a single IP address, or something that is no device.
    mutating func add(id: String) {
        if let mac = MACAddress(id) {
            if !hardware.contains(mac.text) { hardware.append(mac.text) }
        } else if let address = IPAddress(id), address.isOfADevice {
            if !addresses.contains(address.text) { addresses.append(address.text) }
        } else {
            otherIDs.append(String(id.prefix(80)))
        }
    }
}

extension IPAddress {
    /// Not this machine's own, nobody's or everybody's.
    fileprivate var isOfADevice: Bool {
        if isLoopback || isStandIn { return false }
        if isV4 { return v4Bits >> 28 < 14 && v4Bits >> 24 != 0 }
        return bytes[0] != 0xFF && self != IPAddress(high: 0, low: 0)
    }
}
