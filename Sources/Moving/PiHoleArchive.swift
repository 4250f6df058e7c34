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
        func text(of entry: String) throws(ForeignFault) -> String {
            try zip.content(of: entry).map { String(decoding: $0, as: UTF8.self) } ?? ""
        }
        let settings = TOMLArrays(try text(of: "etc/pihole/pihole.toml"))
        var names = PiHoleNames(
            leases: settings["dhcp", "hosts"], hosts: settings["dns", "hosts"],
            given: try text(of: "etc/pihole/dhcp.leases"))
        if let network = try zip.content(of: "etc/pihole/pihole-FTL.db") {
            try Self.reading(network) { database throws(ForeignDatabase.Fault) in
                try names.add(network: database)
            }
        }
        let tables = try Self.reading(gravity) { database throws(ForeignDatabase.Fault) in
            try PiHoleTables(database)
        }
        var household = Self.household(tables, names, settings)
        var ownLines = settings["misc", "dnsmasq_lines"].count
        for entry in zip.names where entry.hasPrefix("etc/dnsmasq.d/") {
            ownLines += Self.lines(of: try text(of: entry)).count
        }
        household.leftovers[.ownSettings] = ownLines
        // A name that leads nowhere is blocked.
        let nowhere = Self.lines(of: try text(of: "etc/hosts")).filter {
            $0.hasPrefix("0.0.0.0") || $0.hasPrefix(":: ")
        }
        household.leftovers[.rewrites, default: 0] += nowhere.count
        household.leftovers = household.leftovers.filter { $0.value > 0 }
        self.household = household
    }

    /// The lines of a file of settings that say something.
    private static func lines(of text: String) -> [Substring] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingPrefix(while: \.isWhitespace) }
            .filter { !$0.isEmpty && !$0.hasPrefix("#") }
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
        let most = ForeignHousehold.mostClients
        // Clients of the same groups share the same rules, in memory too.
        var rules: [Set<Int>: ForeignRules] = [:]
        func shared(_ groups: Set<Int>) -> ForeignRules {
            if rules[groups] == nil { rules[groups] = tables.rules(of: groups) }
            return rules[groups] ?? ForeignRules()
        }
        var clients = tables.clients.prefix(most).map { row in
            var client = ForeignClient(name: row.comment)
            client.add(id: row.id)
            client.group = tables.group(of: row.groups)
            client.rules = shared(row.groups)
            names.complete(&client)
            return client
        }
        // Fixed leases name devices too; they are everybody's group.
        let known = Set(clients.flatMap(\.hardware))
        let leased = names.fixed.filter { !known.contains($0.hardware) }
        for lease in leased.prefix(most - clients.count) {
            clients.append(
                ForeignClient(name: lease.name, hardware: [lease.hardware], rules: shared([0])))
        }
        for index in clients.indices {
            clients[index].kind = Device.guessedKind(of: clients[index].name) ?? .other
        }
        return ForeignHousehold(
            source: .piHole, clients: clients,
            leftovers: [
                .blockLists: tables.lists, .allowedNames: tables.allowed, .patterns: tables.patterns,
                .rewrites: settings["dns", "hosts"].count + settings["dns", "cnameRecords"].count,
                .upstreams: settings["dns", "upstreams"].count,
                .dhcp: settings.isTrue("dhcp", "active") ? 1 : 0,
                .furtherClients: tables.clients.count + leased.count - clients.count,
            ],
            unplaced: tables.unplaced + [
                ForeignHousehold.Unplaced(
                    .refused,
                    settings["dhcp", "hosts"].filter { $0.split(separator: ",").contains("ignore") })
            ])
    }
}

/// What `gravity.db` says, as far as it matters here.
private struct PiHoleTables {
    struct Client {
        var id: String
        var comment: String
        var groups: Set<Int>
    }

    private struct Group {
        var name: String
        var isOn: Bool
    }

    private(set) var clients: [Client] = []
    /// Groups by number.
    private let groups: [Int: Group]
    /// Names that are blocked by enabled groups.
    private var denied: [Int: Set<String>] = [:]
    /// Names and patterns that a group that is switched off would block.
    private var deniedWhenOn: [Int: Set<String>] = [:]
    private var namesOff: [String] = []
    private(set) var lists = 0
    private(set) var allowed = 0
    private(set) var patterns = 0

    init(_ database: ForeignDatabase) throws(ForeignDatabase.Fault) {
        guard let clients = try database.rows(of: "client", ["id", "ip", "comment"]),
            let groups = try database.rows(of: "group", ["id", "enabled", "name"])
        else { throw ForeignDatabase.Fault() }
        self.groups = Dictionary(
            groups.compactMap { row in
                Int(row[0]).map { ($0, Group(name: row[2], isOn: row[1] == "1")) }
            },
            uniquingKeysWith: { first, _ in first })
        let ofClients = Self.pairs(try database.rows(of: "client_by_group", ["client_id", "group_id"]))
        self.clients = clients.map { row in
            Client(id: row[1], comment: row[2], groups: ofClients[row[0]] ?? [])
        }
        let ofNames = Self.pairs(try database.rows(of: "domainlist_by_group", ["domainlist_id", "group_id"]))
        for row in try database.rows(of: "domainlist", ["id", "type", "domain", "enabled"]) ?? [] {
            note(row, isDenied: row[1] == "1" || row[1] == "3", in: ofNames[row[0]] ?? [])
        }
        lists = try database.rows(of: "adlist", ["enabled"])?.count { $0 == ["1"] } ?? 0
    }

    /// Takes one row of `domainlist`.
    private mutating func note(_ row: [String], isDenied: Bool, in groups: Set<Int>) {
        guard row[3] == "1" else {
            if isDenied { namesOff.append(row[2]) }
            return
        }
        guard isDenied else {
            allowed += 1
            return
        }
        for group in groups where self.groups[group]?.isOn == false {
            deniedWhenOn[group, default: []].insert(row[2])
        }
        guard let name = row[1] == "1" ? row[2] : Self.wholeName(row[2]) else {
            patterns += 1
            return
        }
        for group in groups where self.groups[group]?.isOn == true {
            denied[group, default: []].insert(name)
        }
    }

    /// What blocks somebody, or would, and no client of the file by itself.
    var unplaced: [ForeignHousehold.Unplaced] {
        let used = clients.reduce(into: Set<Int>()) { $0.formUnion($1.groups) }
        func parts(_ kind: ForeignHousehold.Unplaced.Kind, _ names: [Int: Set<String>])
            -> [ForeignHousehold.Unplaced]
        {
            names.sorted { $0.key < $1.key }.map { .init(kind, group: groups[$0]?.name ?? "", $1.sorted()) }
        }
        let ofNobody = denied.filter { $0.key != 0 && !used.contains($0.key) }
        return [.init(.house, (denied[0] ?? []).sorted())] + parts(.groupOff, deniedWhenOn)
            + parts(.emptyGroup, ofNobody) + [.init(.namesOff, namesOff)]
    }

    /// The one group that is somebody's own; several or none say nothing.
    func group(of numbers: Set<Int>) -> String? {
        let own = numbers.filter { $0 != 0 && !(denied[$0] ?? []).isEmpty }
        return own.count == 1 ? own.first.flatMap { groups[$0]?.name } : nil
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
