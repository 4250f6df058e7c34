extension Catalog {
    /// What a search finds, best first: names before categories before domains.
    package struct Found: Sendable {
        package let categories: [Category]
        package let apps: [App]
    }

    /// Every word has to be found. An app whose name begins with the words comes before an app that has them later in its
    /// name, then those that are found by their category, then by a domain. Of equals, those of the categories in `first` lead, in the order of their names.
    package func search(_ text: String, first: Set<String> = []) -> Found {
        let words = text.lowercased().split { $0.isWhitespace }.map(String.init)
        guard !words.isEmpty else { return Found(categories: [], apps: []) }
        let shelves = Dictionary(
            categories.map { ($0.id, $0.name.lowercased()) }, uniquingKeysWith: { first, _ in first })
        let ranked = apps.compactMap { app -> (rank: Int, isLater: Int, name: String, app: App)? in
            let name = app.name.lowercased()
            var rank = 0
            for word in words {
                guard let found = Self.rank(word, name, shelves[app.category] ?? "", app.suffixes) else {
                    return nil
                }
                rank = max(rank, found)
            }
            return (rank, first.contains(app.category) ? 0 : 1, name, app)
        }
        return Found(
            categories: categories.filter { category in
                words.allSatisfy { category.name.lowercased().contains($0) }
            },
            apps: ranked.sorted { ($0.rank, $0.isLater, $0.name) < ($1.rank, $1.isLater, $1.name) }.map(\.app)
        )
    }

    /// 0 is best; nil: the word is nowhere. All but the word in lower case.
    private static func rank(_ word: String, _ name: String, _ shelf: String, _ suffixes: [String]) -> Int? {
        if name.hasPrefix(word) { return 0 }
        if name.contains(" " + word) { return 1 }
        if name.contains(word) { return 2 }
        if shelf.contains(word) { return 3 }
        return suffixes.contains { $0.contains(word) } ? 4 : nil
    }
}
