import DNS
import Policy

/// Every set of names that a rule of this household may speak of, in force or not.
///
/// A person's selection of tonight is compiled while it is still day: at bedtime the table is there already.
struct NameSets {
    private(set) var sets: [DNS.NameSet] = []
    let alwaysReachable: Int
    let canaries: Int
    let encryptedDNS: Int
    let help: Int
    private var selections: [AppSelection: Int] = [:]

    init(_ snapshot: Snapshot) {
        let catalog = snapshot.catalog
        let reachable = catalog.alwaysReachable.filter { !snapshot.household.unreachable.contains($0.id) }
        let help = catalog.names(of: .help)
        sets = [
            DNS.NameSet(suffixes: reachable.flatMap(\.suffixes), exact: reachable.flatMap(\.hosts)),
            CanaryNames.canaries,
            CanaryNames.encryptedResolvers,
            DNS.NameSet(suffixes: Array(help.suffixes), exact: Array(help.exact)),
        ]
        alwaysReachable = 0
        canaries = 1
        encryptedDNS = 2
        self.help = 3
        for person in snapshot.household.people {
            add(person.allowed, catalog)
            if let session = person.session { add(session.allowed, catalog) }
        }
        for block in snapshot.verdicts.values.flatMap(\.blocks) { add(Self.selection(block.scope), catalog) }
    }

    func index(of scope: Block.Scope) -> Int? { selections[Self.selection(scope)] }

    private mutating func add(_ selection: AppSelection, _ catalog: Catalog) {
        guard selections[selection] == nil else { return }
        selections[selection] = sets.count
        let names = catalog.names(of: selection)
        sets.append(DNS.NameSet(suffixes: Array(names.suffixes), exact: Array(names.exact)))
    }

    private static func selection(_ scope: Block.Scope) -> AppSelection {
        switch scope {
        case .everythingBut(let selection), .only(let selection): selection
        }
    }
}

/// The compiled table, kept for as long as the names in it stay the same.
struct CompiledNames {
    private var sets: [DNS.NameSet] = []
    private var apps: [App] = []
    private var table = NameTable(sets: [], apps: [])

    mutating func compile(_ sets: [DNS.NameSet], apps: [App]) -> NameTable {
        if sets == self.sets, apps == self.apps { return table }
        self.sets = sets
        self.apps = apps
        table = NameTable(
            sets: sets,
            apps: apps.enumerated().map { index, app in
                AppNames(tag: UInt32(index + 1), suffixes: app.suffixes, pages: app.pages)
            })
        return table
    }
}
