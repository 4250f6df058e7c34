/// Why something of a foreign household is not taken: each reason once, in the order in which it was met.
struct ImportWords {
    private let source: String
    private(set) var sentences: [String] = []
    private var said: Set<String> = []

    init(_ source: ForeignHousehold.Source) { self.source = source.name }

    private mutating func say(_ sentence: String) {
        if said.insert(sentence).inserted { sentences.append(sentence) }
    }

    private static func quoted(_ text: String) -> String { "“\(CleanName.cleaned(String(text.prefix(80))))”" }

    /// At most six, and how many more there are.
    private static func list(_ items: some Collection<String>) -> String {
        let shown = items.sorted().prefix(6).map { String($0.prefix(80)) }.joined(separator: ", ")
        return items.count > 6 ? "\(shown) and \(items.count - 6) more" : shown
    }

    mutating func noDevice(_ client: ForeignClient) {
        let ids = client.otherIDs.isEmpty ? "no address" : Self.list(client.otherIDs)
        say(
            "\(Self.quoted(client.name.isEmpty ? ids : client.name)) has no address of one device (\(ids)). A rule here belongs to a person, and a person has single devices."
        )
    }

    mutating func twice(_ client: ForeignClient) {
        say("\(Self.quoted(client.name)) has an address that another client of the file has too.")
    }

    mutating func otherIDs(_ client: ForeignClient) {
        say(
            "\(Self.quoted(client.name)) is also known by \(Self.list(client.otherIDs)). Only hardware addresses and single IP addresses are taken."
        )
    }

    mutating func keepsRules(_ device: String, _ owner: String) {
        say("\(Self.quoted(device)) belongs to \(owner) here already. It keeps \(owner)’s rules.")
    }

    mutating func nobodys(_ device: String) {
        say("Rules of \(Self.quoted(device)): it is nobody’s here, so nothing is blocked on it.")
    }

    mutating func alwaysPaused(_ device: String) {
        say("Blocked services of \(Self.quoted(device)): they are paused all week, so nothing is blocked.")
    }

    mutating func differentPauses(_ owner: String) {
        say(
            "\(owner)’s devices have different rules in \(source). Here all of \(owner)’s devices have the same: all these apps are blocked, and only the times that every device has stay open."
        )
    }

    mutating func keepsWindows(_ owner: String) {
        say("\(owner) has times in Anti-Rot already. They stay, and those of \(source) are not taken.")
    }

    mutating func zone(_ rules: ForeignRules, here: String) {
        guard !rules.pauses.isEmpty, let zone = rules.zone, zone != here else { return }
        say("\(source)’s pauses are in the zone \(zone). Their times are taken as times of \(here).")
    }

    /// The apps that rules block; what is none of ours gets its sentence.
    mutating func apps(of rules: ForeignRules, in catalog: Catalog) -> Set<String> {
        var apps: Set<String> = []
        for service in rules.services {
            let found = ForeignApps.apps(service: service, in: catalog)
            if found.isEmpty { say("The service \(Self.quoted(service)) is not in our catalog.") }
            apps.formUnion(found)
        }
        let names = ForeignApps.Names(rules.domains, in: catalog)
        if !names.parts.isEmpty {
            let parts = names.parts.subtracting(apps).compactMap { catalog.app(id: $0)?.name }
            if !parts.isEmpty {
                say(
                    "Of \(Self.list(parts)), \(source) blocks only some names. Here an app is blocked as a whole or not at all."
                )
            }
        }
        if !names.unknown.isEmpty {
            say(
                "No app in our catalog has \(Self.list(names.unknown)). Add an own app on Allowed Apps, then choose it in Anti-Rot."
            )
        }
        return apps.union(names.apps)
    }

    mutating func unplaced(_ parts: [ForeignHousehold.Unplaced]) {
        for part in parts where !part.items.isEmpty {
            let items = Self.list(part.items.map(CleanName.cleaned))
            switch part.kind {
            case .house:
                say(
                    "\(source) blocks \(items) for the whole house. A rule here belongs to a person: devices above that follow the whole house’s rules bring theirs along. For everybody else, choose the apps in Anti-Rot."
                )
            case .groupOff:
                say(
                    "The group \(Self.quoted(part.group)) is switched off in \(source), so \(items) is blocked for nobody now. If something there switches it on at times, choose the apps in Anti-Rot, with these times."
                )
            case .emptyGroup:
                say(
                    "The group \(Self.quoted(part.group)) has no client, so \(items) is blocked for nobody.")
            case .namesOff: say("Switched off in \(source), and so not taken: \(items).")
            case .refused:
                say(
                    "\(source) refuses \(items). Sleep Inducer answers every device of the home. Keep a device out at the router."
                )
            case .only:
                say(
                    "\(source) answers only \(items), and refuses everybody else. Sleep Inducer answers every device of the home. Keep a device out at the router."
                )
            }
        }
    }

    mutating func leftovers(_ leftovers: [ForeignHousehold.Leftover: Int]) {
        for kind in ForeignHousehold.Leftover.allCases {
            if let count = leftovers[kind], count > 0 { say(sentence(kind, count)) }
        }
    }

    private func sentence(_ kind: ForeignHousehold.Leftover, _ count: Int) -> String {
        switch kind {
        case .blockLists:
            "Block lists (\(count)): Sleep Inducer does not block advertisements. Keep \(source) as the upstream, and it goes on doing so."
        case .allowedNames:
            "Allowed names (\(count)): Anti-Rot blocks apps only, so nothing has to be let through."
        case .ownRules: "Rules of your own (\(count)): they stay in \(source). Keep it as the upstream."
        case .patterns: "Patterns (\(count)): a pattern names no app."
        case .rewrites:
            "DNS rewrites and local names (\(count)): they stay in \(source). Keep it as the upstream."
        case .safeSearch: "Safe search: Sleep Inducer does not change the results of search engines."
        case .familyFilter: "Parental control and safe browsing: Sleep Inducer has no lists of bad sites."
        case .upstreams: "Upstreams (\(count)): give them with --upstream when you start the server."
        case .clientUpstreams:
            "Upstreams of single clients (\(count)): here all devices have the same. If one of them filters, choose apps in Anti-Rot instead."
        case .ownSettings:
            "Settings of your own for dnsmasq (\(count)): they stay in \(source). Keep it as the upstream."
        case .dhcp:
            "DHCP: Sleep Inducer gives devices no addresses. Let \(source) or the router go on doing it."
        case .encryption: "Certificates and encrypted DNS: this server makes its own, under Devices."
        case .furtherClients:
            "\(count) further clients: a file may have \(ForeignHousehold.mostClients). Add them under Devices."
        }
    }
}
