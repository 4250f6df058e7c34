import DNS
import Policy

/// Every set of names that a rule of this household may use, now or later.
///
/// A person's selection for tonight is compiled by day, so that its table is ready at bedtime.
struct NameSets: Equatable {
    /// The index of each set in the table; selections follow from `firstSelection` on.
    let alwaysReachable = 0
    let canaries = 1
    let encryptedDNS = 2
    let mayBePrivate = 3
    private static let firstSelection = 4

    private var selections: [Selection] = []
    private var places: [Selection: Int] = [:]
    private var relayedSites: [PersonID: Int] = [:]
    private let unreachable: Set<String>
    private let privateAnswers: Set<String>
    let apps: [App]
    /// Domains that count besides apps.
    let domains: Set<String>

    init(_ snapshot: Snapshot) {
        unreachable = snapshot.household.unreachable
        privateAnswers = snapshot.household.privateAnswers
        apps = snapshot.catalog.apps
        domains = snapshot.household.productiveDomains
        for person in snapshot.household.people {
            // Compiled ahead: nobody in need waits for a table.
            let shut = snapshot.catalog.shutToHelp(for: person)
            for names in [AppSelection.help, .helpAtOnce] { add(Selection(HelpNames(names, shut: shut))) }
            add(snapshot.household.allowedSnapshot(of: person))
            if let session = person.session { add(session.allowed) }
            for set in person.antiRot.sets where !set.chosen.isEmpty { add(set.chosen) }
            if !person.antiRot.otherSets.isEmpty { add(person.antiRot.allRestricted) }
            for limit in person.limits.list { add(limit.target.selection) }
            if person.relayed.isOn { add(person.relayedSelection) }
            let sites = snapshot.sitesRelayed(to: person)
            guard !sites.isEmpty else { continue }
            add(AppSelection(domains: sites))
            relayedSites[person.id] = places[Selection(names: AppSelection(domains: sites))]
        }
        let devices = snapshot.household.devices
        for index in devices.indices where devices[index].tryUntil != nil {
            if let trial = snapshot.household.tryBlock(on: devices[index], at: snapshot.instant) {
                add(Selection(trial))
            }
        }
        for block in snapshot.verdicts.values.flatMap(\.blocks) { add(Selection(block)) }
        if snapshot.household.people.contains(where: \.closesWaysOut) { add(Selection(WaysOut.block)) }
        for holders in snapshot.household.familyHolders { add(holders, in: snapshot) }
    }

    /// What holds on the family's devices and on no person's: what several people may use at night, or none in need.
    private mutating func add(_ holders: RuleHolders, in snapshot: Snapshot) {
        let people = snapshot.household.people.filter { holders.people.contains($0.id) }
        var allowed = AppSelection()
        for person in people { allowed.formUnion(snapshot.household.allowedSnapshot(of: person)) }
        if !people.isEmpty { add(allowed) }
        let shut = snapshot.shutToHelp(for: holders)
        for names in [AppSelection.help, .helpAtOnce] { add(Selection(HelpNames(names, shut: shut))) }
        for held in holders.blocks(in: snapshot.verdicts) { add(Selection(held.block)) }
    }

    /// The set that is relayed for a person's devices while it is open; nil if nothing is relayed.
    func relayed(of person: Person?) -> Int? {
        guard let person, person.relayed.isOn else { return nil }
        return places[Selection(names: person.relayedSelection)].map { $0 + Self.firstSelection }
    }

    /// The set of sites that contain a person's relayed names.
    func sitesRelayed(to person: PersonID) -> Int? { relayedSites[person].map { $0 + Self.firstSelection } }

    /// The set that Help opens.
    func index(of help: HelpNames) -> Int? { places[Selection(help)].map { $0 + Self.firstSelection } }

    func index(of block: Block) -> Int? { places[Selection(block)].map { $0 + Self.firstSelection } }

    /// The names themselves: the only part whose cost grows with their number.
    func names(in catalog: Catalog) -> [NameSet] {
        let reachable = catalog.reachableNames(without: unreachable)
        let rules = [
            NameSet(suffixes: Array(reachable.suffixes), exact: Array(reachable.exact)), CanaryNames.canaries,
            CanaryNames.encryptedResolvers, mayBePrivate(in: catalog),
        ]
        return rules
            + selections.map { chosen in
                let apps = catalog.suffixes(of: chosen.names, without: chosen.exempt)
                return NameSet(suffixes: Array(chosen.names.domains) + apps.joined())
            }
    }

    /// The household's own names and the shipped ones. Microsoft's connectivity check has a private address; what is
    /// checked may be closed, but not falsified.
    private func mayBePrivate(in catalog: Catalog) -> NameSet {
        let checks = catalog.reachableNames(without: [])
        return NameSet(
            suffixes: Array(privateAnswers.union(PrivateAnswers.shipped).union(checks.suffixes)),
            exact: Array(checks.exact))
    }

    private mutating func add(_ selection: AppSelection) { add(Selection(names: selection)) }

    private mutating func add(_ selection: Selection) {
        guard places[selection] == nil else { return }
        places[selection] = selections.count
        selections.append(selection)
    }
}

/// The names in a block or of Help, without the apps that it leaves out.
private struct Selection: Hashable {
    var names: AppSelection
    var exempt: Set<String> = []

    init(names: AppSelection) { self.names = names }

    init(_ help: HelpNames) { (names, exempt) = (help.names, help.shut) }

    init(_ block: Block) {
        switch block.scope {
        case .everythingBut(let selection), .only(let selection): names = selection
        }
        exempt = block.exempt
    }
}

/// The compiled table, kept while its input stays the same.
struct CompiledNames {
    private let tags: TagBook
    private var made: NameSets?
    private var table = NameTable(sets: [])

    init(tags: TagBook) { self.tags = tags }

    mutating func table(for sets: NameSets, in catalog: Catalog) -> NameTable {
        if sets == made { return table }
        made = sets
        table = NameTable(
            sets: sets.names(in: catalog), counted: tags.names(in: catalog.counting(sets.domains)))
        return table
    }
}
