/// Those of a person's apps that always lead to this server, which passes them on while they are open: a block then cuts
/// what is open in the same second, and what is used is counted from what flows. Off as it comes.
package struct RelayedApps: Hashable, Codable, Sendable {
    /// The apps with a limit, and those that Anti-Rot blocks outside its windows.
    @Defaulted package var includesRuled: Bool
    /// Apps besides.
    @Defaulted package var chosen: Set<String>

    package init(includesRuled: Bool = false, chosen: Set<String> = []) {
        self.includesRuled = includesRuled
        self.chosen = chosen
    }

    package var isOn: Bool { includesRuled || !chosen.isEmpty }
}

extension Person {
    /// What is relayed for this person; empty if nothing is.
    package var relayedSelection: AppSelection {
        var all = AppSelection(apps: relayed.chosen)
        guard relayed.includesRuled else { return all }
        for ruled in [antiRot.allRestricted] + limits.list.map(\.target.selection) {
            all.apps.formUnion(ruled.apps)
            all.categories.formUnion(ruled.categories)
            all.domains.formUnion(ruled.domains)
        }
        return all
    }
}

extension Catalog {
    /// The apps that are relayed as a whole. A bare domain is at most a part of its app.
    package func relayedApps(of person: Person) -> Set<String> {
        var selection = person.relayedSelection
        selection.domains = []
        return countedApps(in: selection)
    }
}

extension Snapshot {
    /// The same snapshot where nothing can be relayed: what people chose waits until it can.
    package var withoutRelay: Snapshot {
        guard household.people.contains(where: \.relayed.isOn) else { return self }
        var plain = household
        for index in plain.people.indices { plain.people[index].relayed = RelayedApps() }
        var snapshot = self
        snapshot.household = plain
        return snapshot
    }

    /// Sites with a name that is relayed to this person now. A browser reuses a connection for other names of such a
    /// site that share its address and certificate.
    package func sitesRelayed(to person: Person) -> Set<String> {
        guard person.relayed.isOn else { return [] }
        let names = catalog.names(of: person.relayedSelection)
        let open = names.suffixes.union(names.exact).filter {
            verdict(of: $0, person: person.id).block == nil
        }
        return Set(open.map(DomainName.site))
    }
}

extension DomainName {
    /// The registered domain: the last two labels, or three below a country's second level.
    static func site(_ name: String) -> String {
        let labels = name.split(separator: ".")
        let two = labels.suffix(2).joined(separator: ".")
        return publicSuffixes.contains(two) ? labels.suffix(3).joined(separator: ".") : two
    }
}

extension Household {
    /// Chooses what is relayed. This changes no verdict, so it is no way around one.
    package mutating func setRelayed(
        _ id: PersonID, _ relayed: RelayedApps, catalog: Catalog
    ) throws(Refusal) {
        let index = try index(of: id)
        _ = try catalog.adding(ownApps).checked(AppSelection(apps: relayed.chosen))
        people[index].relayed = relayed
    }
}
