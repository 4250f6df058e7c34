/// The apps that this house knows, shipped with the binary, with the household's own apps added.
package struct Catalog: Sendable {
    package let categories: [Category]
    package let apps: [App]
    package let alwaysReachable: [AlwaysReachable]
    private let appByID: [String: Int]
    private let appBySuffix: [String: Int]
    private let appsByCategory: [String: [Int]]

    /// Accepts anything: `validate()` says what is wrong. Of two equal ids or suffixes, the first counts.
    package init(categories: [Category], apps: [App], alwaysReachable: [AlwaysReachable]) {
        self.categories = categories
        self.apps = apps
        self.alwaysReachable = alwaysReachable
        let numbered = apps.enumerated()
        appByID = Dictionary(
            numbered.map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        appsByCategory = Dictionary(grouping: apps.indices) { apps[$0].category }
        appBySuffix = Dictionary(
            numbered.flatMap { index, app in app.suffixes.map { ($0, index) } },
            uniquingKeysWith: { first, _ in first })
    }

    package func app(id: String) -> App? { appByID[id].map { apps[$0] } }

    package func category(id: String) -> Category? { categories.first { $0.id == id } }

    package func apps(in category: String) -> [App] { apps.filter { $0.category == category } }

    /// The app with the longest suffix that a name ends in, on label boundaries.
    package func app(owning name: String) -> App? {
        place(owning: DomainName.folded(name)).map { apps[$0] }
    }

    /// Where in `apps` the app with the longest suffix of a folded name is.
    package func place(owning name: String) -> Int? {
        // Most names that are asked for are suffixes themselves.
        appBySuffix[name] ?? DomainName.withParents(name).lazy.compactMap { appBySuffix[$0] }.first
    }

    /// All names of a selection. An app belongs to it by itself or by its category; ids that the catalog does
    /// not have are ignored.
    ///
    /// `exempt` apps are left out even if the selection has them.
    package func names(of selection: AppSelection, without exempt: Set<String> = []) -> CatalogNames {
        var names = CatalogNames(suffixes: selection.domains)
        for suffixes in suffixes(of: selection, without: exempt) { names.suffixes.formUnion(suffixes) }
        return names
    }

    /// The suffixes of a selection's apps, app by app.
    package func suffixes(of selection: AppSelection, without exempt: Set<String> = []) -> [[String]] {
        let whole = selection.categories.flatMap { appsByCategory[$0] ?? [] }
        let single = selection.apps.compactMap { appByID[$0] }
            .filter { !selection.categories.contains(apps[$0].category) }
        return (whole + single).filter { !exempt.contains(apps[$0].id) }.map { apps[$0].suffixes }
    }

    /// The names that stay reachable whatever is blocked, without the optional entries that were unticked.
    package func reachableNames(without unticked: Set<String> = []) -> CatalogNames {
        var names = CatalogNames()
        for entry in alwaysReachable where !(entry.isOptional && unticked.contains(entry.id)) {
            names.suffixes.formUnion(entry.suffixes)
            names.exact.formUnion(entry.hosts)
        }
        return names
    }

    /// The same catalog with a household's own apps. They come first, so that they win a suffix that two apps have.
    package func adding(_ ownApps: [App]) -> Catalog {
        guard !ownApps.isEmpty else { return self }
        return Catalog(
            categories: categories + [.own], apps: ownApps + apps, alwaysReachable: alwaysReachable)
    }
}

extension Category {
    /// The shelf of the apps that a household adds.
    package static let own = Category(id: "own", name: "Own apps")
}
