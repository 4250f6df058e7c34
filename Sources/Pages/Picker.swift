import Mustache
package import Policy

/// A choice of apps, whole categories and domains from the catalog (SI-138 to SI-140); every selection uses it.
package struct Picker: Sendable {
    package struct Shelf: Sendable {
        package let id: String
        package let name: String
        /// False for the household's own apps, which are not a category.
        package let hasCategory: Bool
        package let isSelected: Bool
        /// Nil for none.
        package let selectedCount: Int?
        /// Whether the shelf is open without a search.
        package let isOpen: Bool
        package let apps: [Row]
        package let appCount: Int
    }

    package struct Row: Sendable {
        package let id: String
        package let name: String
        /// `instagram.com, cdninstagram.com`: for the search, and for the row's small print.
        package let domains: String
        package let isSelected: Bool
    }

    package let shelves: [Shelf]
    /// Whether whole categories and bare domains can be chosen too (C-20).
    package let isWide: Bool
    /// The chosen bare domains.
    package let domains: [String]
    /// `3 apps, 1 category and 2 domains`; `Nothing chosen yet`.
    package let count: String
    /// The stored selection, which the form sends back with the ticked one.
    package let was: String

    /// `stored`: the stored selection, if the page shows another one that was refused. Own apps come first, on their
    /// own shelf; then the categories in `first`, in that order. `appsOnly` leaves out whole categories and domains
    /// (AR-071).
    package init(
        catalog: Catalog, ownApps: [App], selection: AppSelection, stored: AppSelection? = nil,
        first: [String] = [], appsOnly: Bool = false
    ) {
        isWide = !appsOnly
        let own = Set(ownApps.map(\.id))
        let byCategory = Dictionary(grouping: catalog.apps.filter { !own.contains($0.id) }, by: \.category)
        let chosen = first.compactMap { id in catalog.categories.first { $0.id == id } }
        let others = catalog.categories.filter { !first.contains($0.id) }
        let categories =
            chosen + others.filter { !Self.last.contains($0.id) }
            + others.filter { Self.last.contains($0.id) }
        let shelves = categories.compactMap { category in
            byCategory[category.id].map {
                Self.shelf(
                    appsOnly ? nil : category.id, category.name, apps: $0, selection: selection)
            }
        }
        let ownShelf =
            ownApps.isEmpty ? [] : [Self.shelf(nil, "Your own apps", apps: ownApps, selection: selection)]
        self.shelves = ownShelf + shelves
        domains = selection.domains.sorted()
        count = Self.count(selection)
        was = (stored ?? selection).tickedText
    }

    /// People who look for these find them; others need not pass them.
    private static let last: Set = ["adult", "gambling", "dating"]

    private static func shelf(_ id: String?, _ name: String, apps: [App], selection: AppSelection) -> Shelf {
        let rows = apps.map { ($0, $0.name.lowercased()) }.sorted { $0.1 < $1.1 }.map { app, _ in
            Row(
                id: app.id, name: app.name, domains: app.suffixes.joined(separator: ", "),
                isSelected: selection.apps.contains(app.id))
        }
        let selected = rows.count(where: \.isSelected)
        let isWhole = id.map(selection.categories.contains) ?? false
        return Shelf(
            id: id ?? "", name: name, hasCategory: id != nil, isSelected: isWhole,
            selectedCount: selected == 0 ? nil : selected, isOpen: selected > 0 && !isWhole, apps: rows,
            appCount: rows.count)
    }

    /// The sentence that the script keeps up to date.
    package static func count(_ selection: AppSelection) -> String {
        func part(_ number: Int, _ one: String, _ many: String) -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
        }
        let parts = [
            part(selection.apps.count, "app", "apps"),
            part(selection.categories.count, "category", "categories"),
            part(selection.domains.count, "domain", "domains"),
        ].compactMap { $0 }
        switch parts.count {
        case 0: return "Nothing chosen yet"
        case 1: return parts[0]
        default: return parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
        }
    }
}

/// Written by hand: a page has over a thousand rows, and reflection is slow.
extension Picker.Row: MustacheParent {
    package func child(named name: String) -> Any? {
        switch name {
        case "id": id
        case "name": self.name
        case "domains": domains
        case "isSelected": isSelected
        default: nil
        }
    }
}
