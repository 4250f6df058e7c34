package import Policy

/// A choice of apps, whole categories and domains from the catalog; every selection uses it.
///
/// A category's apps are on the page only while it is open, and a search shows what it found instead of categories:
/// a page with all apps of the catalog has ten thousand elements. GET with `open` (`social,video`) and `find`.
package struct Picker: Sendable {
    package struct Shelf: Sendable {
        package let id: String
        package let name: String
        /// Whether it can be ticked as a whole.
        package let hasCategory: Bool
        package let isSelected: Bool
        /// `All allowed`, `1 of 36`, `None`; `36 apps` where one thing is chosen.
        package let count: String
        package let isOpen: Bool
        /// The value of `open` that opens it too.
        package let opens: String
        /// Empty unless it is open.
        package let apps: [Row]
        let tile: Tile
    }

    /// An app, or in a search a whole category.
    package struct Row: Sendable {
        package let id: String
        package let name: String
        /// `instagram.com, cdninstagram.com`, with the category in front where the row stands alone.
        package let note: String
        package let isSelected: Bool
        /// `app` or `category`: the name of its field.
        package let field: String
        let tile: Tile
    }

    package let shelves: [Shelf]
    package let isSearching: Bool
    package let found: [Row]
    package let hasFound: Bool
    /// Whether more apps are found than are shown.
    package let hasMore: Bool
    /// `3 found`.
    package let foundText: String
    /// Whether whole categories and bare domains can be chosen too.
    package let isWide: Bool
    /// Whether a row leads on, instead of being ticked.
    package let isSingle: Bool
    package let path: String
    package let find: String
    /// `social,video`: the categories that are open.
    package let open: String
    /// The chosen bare domains.
    package let domains: [String]
    /// The sites of which only a part is chosen.
    package let sites: [Site]
    /// `3 apps, 1 category and 2 domains`; `Nothing chosen yet`.
    package let count: String
    /// The change that was just saved and can be taken back.
    package let undo: PickerUndo?

    package struct Site: Equatable, Sendable {
        /// `www.example.org`, `m.example.org`.
        package let part: String
        /// `example.org`
        package let whole: String
    }

    /// The most apps that a search shows.
    static let most = 60

    /// `selection` is stored, or was sent and refused. `taken` has a limit already.
    package init(
        _ purpose: PickerPurpose, catalog: Catalog, ownApps: [App], selection: AppSelection,
        view: PickerView = PickerView(), undo: PickerUndo? = nil,
        taken: Set<LimitTarget> = []
    ) {
        let known = catalog.categories.contains { $0.id == Category.own.id }
        let catalog = known ? catalog : catalog.adding(ownApps)
        let shown = Shown(purpose, catalog, selection, taken)
        let shelves = shown.shelves(view)
        let isSearching = !view.find.isEmpty
        let found = isSearching ? shown.found(view.find) : []
        self.shelves = isSearching ? [] : shelves
        self.isSearching = isSearching
        self.found = Array(found.prefix(Self.most))
        hasFound = !found.isEmpty
        hasMore = found.count > Self.most
        foundText = "\(found.count) found"
        isWide = !purpose.isAppsOnly
        isSingle = purpose == .limiting
        path = purpose.path
        find = view.find
        open = shelves.filter(\.isOpen).map(\.id).joined(separator: ",")
        domains = selection.domains.sorted()
        sites = Self.sites(selection.domains)
        count = Self.count(selection)
        self.undo = undo
    }

    private static func sites(_ domains: Set<String>) -> [Site] {
        domains.sorted().compactMap { part in
            ["www.", "m."].first(where: part.hasPrefix).flatMap {
                try? DomainName(typed: String(part.dropFirst($0.count))).text
            }
            .map { Site(part: part, whole: $0) }
        }
        .filter { site in !domains.contains { DomainName.isUnder(site.whole, $0) } }
    }

    /// How much is chosen, in words.
    package static func count(_ selection: AppSelection) -> String {
        func part(_ number: Int, _ one: String, _ many: String) -> String? {
            number == 0 ? nil : "\(number) \(number == 1 ? one : many)"
        }
        let parts = [
            part(selection.apps.count, "app", "apps"),
            part(selection.categories.count, "category", "categories"),
            part(selection.domains.count, "domain", "domains"),
        ].compactMap { $0 }
        return parts.isEmpty ? "Nothing chosen yet" : parts.inWords
    }
}

extension [String] {
    /// `A`, `A and B`, `A, B and C`; empty for none.
    package var inWords: String {
        guard count > 1 else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " and " + self[count - 1]
    }
}
