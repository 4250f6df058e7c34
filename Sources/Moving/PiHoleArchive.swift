import Directory
import Foundation
import Policy
import Store

/// An archive that Pi-hole 6's Teleporter made: `gravity.db` with clients, groups and names, `pihole.toml` with fixed
/// leases and local names, and `pihole-FTL.db` with what the network called its devices.
///
/// A client is a hardware address, an IP address, a range, a host name, or an interface (`:eth0`). It is in the groups of
/// `client_by_group`; a name of `domainlist` (type 1 exact, 3 a pattern; 0 and 2 allow) is blocked for those of
/// `domainlist_by_group`. Group 0 is everybody's.
struct PiHoleArchive {
    let household: ForeignHousehold

    init(_ file: Data) throws(ForeignFault) {
        let zip = try ZipFile(file)
        guard let gravity = try zip.content(of: "etc/pihole/gravity.db") else { throw .notPiHole }
        let toml =
            try zip.content(of: "etc/pihole/pihole.toml").map { String(decoding: $0, as: UTF8.self) } ?? ""
        let settings = TOMLArrays(toml)
        var names = PiHoleNames(
            leases: settings["dhcp", "hosts"], hosts: settings["dns", "hosts"],
            given: try zip.content(of: "etc/pihole/dhcp.leases").map { String(decoding: $0, as: UTF8.self) }
                ?? "")
        if let network = try zip.content(of: "etc/pihole/pihole-FTL.db") {
            try Self.reading(network) { database throws(ForeignDatabase.Fault) in
                try names.add(network: database)
            }
        }
        let tables = try Self.reading(gravity) { database throws(ForeignDatabase.Fault) in
            try PiHoleTables(database)
        }
        household = Self.household(tables, names, settings)
    }

    private static func reading<Result>(
        _ bytes: Data, _ body: (ForeignDatabase) throws(ForeignDatabase.Fault) -> Result
    ) throws(ForeignFault) -> Result {
        do {
            let database = try ForeignDatabase(bytes)
            defer { database.close() }
            return try body(database)
        } catch { throw .brokenDatabase }
    }

    private static func household(
        _ tables: PiHoleTables, _ names: PiHoleNames, _ settings: TOMLArrays
    ) -> ForeignHousehold {
        var clients = tables.clients.map { row in
            var client = ForeignClient(name: row.comment)
            client.add(id: row.id)
            client.group = tables.group(of: row.groups)
            client.rules = tables.rules(of: row.groups)
            names.complete(&client)
            return client
        }
        // Fixed leases name devices too; they are everybody's group.
        let known = Set(clients.flatMap(\.hardware))
        for lease in names.fixed where !known.contains(lease.hardware) {
            clients.append(
                ForeignClient(name: lease.name, hardware: [lease.hardware], rules: tables.rules(of: [0])))
        }
        for index in clients.indices {
            clients[index].kind = Device.guessedKind(of: clients[index].name) ?? .other
        }
        return ForeignHousehold(
            source: .piHole, clients: Array(clients.prefix(ForeignHousehold.mostClients)),
            leftovers: [
                .blockLists: tables.lists, .allowedNames: tables.allowed, .patterns: tables.patterns,
                .rewrites: settings["dns", "hosts"].count + settings["dns", "cnameRecords"].count,
                .upstreams: settings["dns", "upstreams"].count,
                .dhcp: settings.isTrue("dhcp", "active") ? 1 : 0,
                .furtherClients: max(0, clients.count - ForeignHousehold.mostClients),
            ].filter { $0.value > 0 })
    }
}

/// What `gravity.db` says, as far as it matters here.
private struct PiHoleTables {
    struct Client {
        var id: String
        var comment: String
        var groups: Set<Int>
    }

    private(set) var clients: [Client] = []
    /// Enabled groups by number.
    private let groups: [Int: String]
    /// Names that are blocked, by group.
    private var denied: [Int: Set<String>] = [:]
    private(set) var lists = 0
    private(set) var allowed = 0
    private(set) var patterns = 0

    init(_ database: ForeignDatabase) throws(ForeignDatabase.Fault) {
        guard let clients = try database.rows(of: "client", ["id", "ip", "comment"]),
            let groups = try database.rows(of: "group", ["id", "enabled", "name"])
        else { throw ForeignDatabase.Fault() }
        self.groups = Dictionary(
            groups.compactMap { row in row[1] == "1" ? Int(row[0]).map { ($0, row[2]) } : nil },
            uniquingKeysWith: { first, _ in first })
        let ofClients = Self.pairs(try database.rows(of: "client_by_group", ["client_id", "group_id"]))
        self.clients = clients.map { row in
            Client(id: row[1], comment: row[2], groups: ofClients[row[0]] ?? [])
        }
        let ofNames = Self.pairs(try database.rows(of: "domainlist_by_group", ["domainlist_id", "group_id"]))
        for row in try database.rows(of: "domainlist", ["id", "type", "domain", "enabled"]) ?? []
        where row[3] == "1" {
            guard row[1] == "1" || row[1] == "3" else {
                allowed += 1
                continue
            }
            guard let name = row[1] == "1" ? row[2] : Self.wholeName(row[2]) else {
                patterns += 1
                continue
            }
            for group in ofNames[row[0]] ?? [] where self.groups[group] != nil {
                denied[group, default: []].insert(name)
            }
        }
        lists = try database.rows(of: "adlist", ["enabled"])?.count { $0 == ["1"] } ?? 0
    }

    /// The one group that is somebody's own; several or none say nothing.
    func group(of numbers: Set<Int>) -> String? {
        let own = numbers.filter { $0 != 0 && !(denied[$0] ?? []).isEmpty }
        return own.count == 1 ? own.first.flatMap { groups[$0] } : nil
    }

    func rules(of numbers: Set<Int>) -> ForeignRules {
        let own = numbers.filter { $0 != 0 }
        return ForeignRules(
            domains: numbers.reduce(into: Set<String>()) { $0.formUnion(denied[$1] ?? []) }.sorted(),
            areOfTheHouse: own.allSatisfy { (denied[$0] ?? []).isEmpty })
    }

    /// The name of a pattern that Pi-hole's page writes for "with all subdomains": `(\.|^)tiktok\.com$`.
    private static func wholeName(_ pattern: String) -> String? {
        for opening in [#"(\.|^)"#, #"(^|\.)"#] where pattern.hasPrefix(opening) && pattern.hasSuffix("$") {
            let name = String(pattern.dropFirst(opening.count).dropLast()).replacing(#"\."#, with: ".")
            return DomainName.isValid(name) ? name : nil
        }
        return nil
    }

    private static func pairs(_ rows: [[String]]?) -> [String: Set<Int>] {
        (rows ?? []).reduce(into: [:]) { pairs, row in
            if let group = Int(row[1]) { pairs[row[0], default: []].insert(group) }
        }
    }
}
