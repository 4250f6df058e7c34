extension Catalog {
    /// What is wrong with the shipped catalog, one sentence each; empty if nothing is wrong.
    ///
    /// Own apps are not checked here: they may repeat a shipped app's name.
    package func validate() -> [String] {
        duplicates(categories.map(\.id), "category")
            + duplicates(apps.map(\.id), "app")
            + duplicates(alwaysReachable.map(\.id), "always-reachable entry")
            + duplicates(apps.flatMap(\.suffixes), "suffix")
            + apps.flatMap(problems) + swallowedSuffixes() + alwaysReachable.flatMap(problems)
            + suffixesAlwaysReachable()
    }

    private func duplicates(_ words: [String], _ what: String) -> [String] {
        var seen: Set<String> = []
        return words.filter { !seen.insert($0).inserted }.map { "The \(what) \($0) is there twice." }
    }

    private func problems(of app: App) -> [String] {
        var found: [String] = []
        if !Self.isID(app.id) { found.append("\(app.id) is no id: lower-case letters, digits and hyphens.") }
        if app.id.hasPrefix("own-") { found.append("\(app.id): ids with own- are the household's.") }
        if app.name.isEmpty { found.append("\(app.id) has no name.") }
        if category(id: app.category) == nil { found.append("\(app.id): no category \(app.category).") }
        if app.suffixes.isEmpty { found.append("\(app.id) has no suffix.") }
        found += (app.suffixes + app.pages + app.foreground + app.service).filter { !Self.isName($0) }
            .map { "\(app.id): \($0) is no domain name." }
        for (list, names) in [
            ("page", app.pages), ("foreground name", app.foreground), ("service name", app.service),
        ] {
            found += names.filter { name in !app.suffixes.contains { DomainName.isUnder(name, $0) } }
                .map { "\(app.id): the \(list) \($0) is not under its suffixes." }
        }
        return found
    }

    private func swallowedSuffixes() -> [String] {
        let owners = Dictionary(
            apps.flatMap { app in app.suffixes.map { ($0, app.id) } }, uniquingKeysWith: { first, _ in first }
        )
        return apps.flatMap { app in
            app.suffixes.flatMap { suffix in
                DomainName.withParents(suffix).dropFirst().compactMap { parent in
                    owners[parent].map { "\($0)'s \(parent) swallows \(app.id)'s \(suffix)." }
                }
            }
        }
    }

    /// An always-reachable suffix above an app's suffix would open the app; one below it is what the list is for.
    ///
    /// All entries are checked at once first: this runs at every start, and almost no name matches.
    private func suffixesAlwaysReachable() -> [String] {
        let names = reachableNames()
        return apps.flatMap { app in
            app.suffixes.filter(names.covers).flatMap { suffix in
                alwaysReachable.filter { Self.names(of: $0).covers(suffix) }
                    .map { "\($0.id) swallows \(app.id)'s \(suffix)." }
            }
        }
    }

    private static func names(of entry: AlwaysReachable) -> CatalogNames {
        CatalogNames(suffixes: Set(entry.suffixes), exact: Set(entry.hosts))
    }

    private func problems(of entry: AlwaysReachable) -> [String] {
        let invalid = (entry.suffixes + entry.hosts).filter { !Self.isName($0) }
            .map { "\(entry.id): \($0) is no domain name." }
        let empty = entry.suffixes.isEmpty && entry.hosts.isEmpty ? ["\(entry.id) has no names."] : []
        return invalid + empty
    }

    private static func isName(_ name: String) -> Bool { DomainName.isFolded(name) }

    private static func isID(_ id: String) -> Bool {
        !id.isEmpty
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                    UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
