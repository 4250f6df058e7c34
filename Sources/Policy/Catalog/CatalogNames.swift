/// Suffixes, matched on label boundaries, and exact names.
package struct CatalogNames: Hashable, Sendable {
    package var suffixes: Set<String>
    /// Exact names; nothing below them matches.
    package var exact: Set<String>

    package init(suffixes: Set<String> = [], exact: Set<String> = []) {
        self.suffixes = suffixes
        self.exact = exact
    }

    /// Whether these names cover a folded name (`DomainName.folded`).
    package func covers(_ name: String) -> Bool {
        exact.contains(name) || DomainName.withParents(name).contains(where: suffixes.contains)
    }
}
