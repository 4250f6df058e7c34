import Policy

extension Picker {
    /// Makes a picker's rows of the catalog.
    struct Shown {
        let purpose: PickerPurpose
        let catalog: Catalog
        let selection: AppSelection
        let taken: Set<LimitTarget>

        init(
            _ purpose: PickerPurpose, _ catalog: Catalog, _ selection: AppSelection, _ taken: Set<LimitTarget>
        ) {
            self.purpose = purpose
            self.catalog = catalog
            self.selection = selection
            self.taken = taken
        }

        /// Own apps first, on a shelf of their own.
        func shelves(_ view: PickerView) -> [Shelf] {
            let byCategory = Dictionary(grouping: catalog.apps, by: \.category)
            let own = catalog.categories.filter { $0.id == Category.own.id }
            let others = purpose.inOrder(catalog.categories.filter { $0.id != Category.own.id })
            let filled = (own + others).filter { byCategory[$0.id] != nil }
            func isOpen(_ category: Category) -> Bool {
                if let open = view.open { return open.contains(category.id) }
                return !selection.categories.contains(category.id)
                    && byCategory[category.id, default: []].contains { selection.apps.contains($0.id) }
            }
            let open = filled.filter(isOpen).map(\.id)
            return filled.map { category in
                shelf(
                    category, byCategory[category.id, default: []], isOpen: open.contains(category.id),
                    opens: (open + [category.id]).joined(separator: ","))
            }
        }

        private func shelf(_ category: Category, _ apps: [App], isOpen: Bool, opens: String) -> Shelf {
            let isWhole = selection.categories.contains(category.id)
            let ticked = apps.count { selection.apps.contains($0.id) }
            let count =
                purpose == .limiting
                ? apps.count == 1 ? "1 app" : "\(apps.count) apps"
                : isWhole || ticked == apps.count
                    ? purpose.all : ticked == 0 ? "None" : "\(ticked) of \(apps.count)"
            let isOwn = category.id == Category.own.id
            return Shelf(
                id: category.id, name: isOwn ? "Your own apps" : category.name,
                hasCategory: hasCategory(category), isSelected: isWhole, count: count, isOpen: isOpen,
                opens: opens, apps: isOpen ? rows(apps) : [], tile: Tile(category))
        }

        private func hasCategory(_ category: Category) -> Bool {
            !purpose.isAppsOnly && category.id != Category.own.id && !taken.contains(.category(category.id))
        }

        private func rows(_ apps: [App]) -> [Row] {
            apps.filter { !taken.contains(.app($0.id)) }.map { ($0, $0.name.lowercased()) }
                .sorted { $0.1 < $1.1 }.map { row($0.0, note: $0.0.suffixes.joined(separator: ", ")) }
        }

        private func row(_ app: App, note: String) -> Row {
            Row(
                id: app.id, name: app.name, note: note, isSelected: selection.shows(app), field: "app",
                tile: Tile(app))
        }

        /// Whole categories first, then apps; names before domains (`Catalog.search`).
        func found(_ text: String) -> [Row] {
            let found = catalog.search(text, first: Set(purpose.first))
            let names = Dictionary(
                catalog.categories.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
            let categories = purpose.inOrder(found.categories).filter(hasCategory).map {
                Row(
                    id: $0.id, name: "Everything in \($0.name)", note: "Category",
                    isSelected: selection.categories.contains($0.id), field: "category", tile: Tile($0))
            }
            let apps = found.apps.filter { !taken.contains(.app($0.id)) }.map {
                row($0, note: "\(names[$0.category] ?? "") · \($0.suffixes.joined(separator: ", "))")
            }
            return categories + apps
        }
    }
}
