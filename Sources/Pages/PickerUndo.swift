package import Policy

/// A change of a selection that was just saved, and how to take it back.
package struct PickerUndo: Sendable {
    package let id: String
    /// `TikTok added.`, `3 changes saved.`
    package let text: String

    package init(id: String, from before: AppSelection, to after: AppSelection, catalog: Catalog) {
        self.id = id
        let added = Self.names(in: after, not: before, catalog)
        let removed = Self.names(in: before, not: after, catalog)
        switch (added.count, removed.count) {
        case (1, 0): text = "\(added[0]) added."
        case (0, 1): text = "\(removed[0]) removed."
        default: text = "\(added.count + removed.count) changes saved."
        }
    }

    private static func names(
        in one: AppSelection, not other: AppSelection, _ catalog: Catalog
    ) -> [String] {
        one.categories.subtracting(other.categories).sorted().map { catalog.category(id: $0)?.name ?? $0 }
            + one.apps.subtracting(other.apps).sorted().map { catalog.app(id: $0)?.name ?? $0 }
            + one.domains.subtracting(other.domains).sorted()
    }
}
