/// Names by suffix, matched on label boundaries, and by themselves.
package struct CatalogNames: Hashable, Sendable {
    package var suffixes: Set<String>
    /// Exact names: nothing below them.
    package var exact: Set<String>

    package init(suffixes: Set<String> = [], exact: Set<String> = []) {
        self.suffixes = suffixes
        self.exact = exact
    }

    /// Whether a folded name (`DomainName.folded`) is among them.
    package func covers(_ name: String) -> Bool {
        exact.contains(name) || DomainName.withParents(name).contains(where: suffixes.contains)
    }
}
