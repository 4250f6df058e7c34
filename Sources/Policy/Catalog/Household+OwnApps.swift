package import Foundation

extension Household {
    package static let maximumOwnApps = 200
    /// In one selection or one own app.
    package static let maximumDomains = 50

    /// Adds an app with these domains, typed as `DomainName` takes them, to the household's catalog. A domain of an app
    /// in the shipped `catalog` is refused: its minutes and limits would move to the new app.
    @discardableResult
    package mutating func addOwnApp(
        name: String, domains: [String], catalog: Catalog? = nil, at now: Date
    ) throws(Refusal) -> App {
        let name = try CleanName.checked(name)
        let typed = domains.filter { !$0.allSatisfy(\.isWhitespace) }
        guard !typed.isEmpty else { throw .domainMissing }
        guard typed.count <= Self.maximumDomains else { throw .tooManyDomains }
        guard ownApps.count < Self.maximumOwnApps else { throw .tooManyOwnApps }
        var suffixes: [String] = []
        for domain in typed {
            let domain = try DomainName(typed: domain).text
            if let owner = catalog?.app(owning: domain) { throw .domainTaken(domain, by: owner.name) }
            if !suffixes.contains(domain) { suffixes.append(domain) }
        }
        // Sessions allow single apps (`allowedSnapshot`). A session that was stored or imported with the whole shelf
        // would open with each new app on it.
        try guardStrict(at: now) { $0.allowed.categories.contains(Category.own.id) }
        let app = App(
            id: freeID(for: name), name: name, category: Category.own.id, suffixes: suffixes,
            pages: suffixes.flatMap { [$0, "www.\($0)"] }, foreground: suffixes)
        ownApps.append(app)
        return app
    }

    /// Removes an own app, also from allowed, restricted, limited and productive apps and from waiting changes. A
    /// running session keeps the app's id, which then has no names.
    package mutating func removeOwnApp(_ id: String) throws(Refusal) {
        guard let index = ownApps.firstIndex(where: { $0.id == id }) else { throw .unknownOwnApp }
        try guardWaiting {
            $0.antiRot.allRestricted.apps.contains(id)
                || $0.limits.list.contains { $0.target == .app(id) }
        }
        ownApps.remove(at: index)
        for person in people.indices {
            people[person].allowed.apps.remove(id)
            people[person].antiRot.forget(app: id)
            people[person].verified.productive?.apps.remove(id)
            people[person].limits.forget(.app(id))
            people[person].pending = people[person].pending.compactMap { $0.without(app: id) }
        }
    }

    /// `own-…` with the name. An id that a selection still holds is taken: a new app would inherit its tick.
    private func freeID(for name: String) -> String {
        let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let base = "own-" + (words.isEmpty ? "app" : words.joined(separator: "-"))
        let taken = Set(ownApps.map(\.id)).union(
            people.flatMap { person in
                person.allowed.apps.union(person.session?.allowed.apps ?? [])
                    .union(person.antiRot.allRestricted.apps)
                    .union(person.verified.productive?.apps ?? [])
                    .union(person.limits.list.filter { $0.target.kind == "app" }.map(\.target.id))
            })
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) }!
    }
}
