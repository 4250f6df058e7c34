extension AppSelection {
    /// This selection with only the difference between two others made to it, so that two open pages undo nothing of
    /// each other, and Undo takes back one change and no other.
    package func changed(from was: AppSelection, to now: AppSelection) -> AppSelection {
        func merged(_ path: KeyPath<AppSelection, Set<String>>) -> Set<String> {
            let gone = was[keyPath: path].subtracting(now[keyPath: path])
            let added = now[keyPath: path].subtracting(was[keyPath: path])
            return self[keyPath: path].subtracting(gone).union(added)
        }
        return AppSelection(
            apps: merged(\.apps), categories: merged(\.categories), domains: merged(\.domains))
    }

    /// The same for a page's ticks. The page shows every app of a ticked category as ticked; where one of them is
    /// unticked, the category goes, and its other apps are chosen one by one.
    package func ticked(from was: AppSelection, to ticked: AppSelection, catalog: Catalog) -> AppSelection {
        var new = changed(from: was, to: ticked)
        let unticked = was.apps.subtracting(ticked.apps)
        for category in Set(unticked.compactMap { catalog.app(id: $0)?.category })
        where categories.contains(category) && new.categories.contains(category) {
            new.categories.remove(category)
            new.apps.formUnion(Set(catalog.apps(in: category).map(\.id)).subtracting(unticked))
        }
        return new
    }

    /// What a page shows as ticked: the apps of a ticked category too.
    package func shows(_ app: App) -> Bool { apps.contains(app.id) || categories.contains(app.category) }
}
