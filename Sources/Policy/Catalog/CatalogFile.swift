/// One shelf of the catalog as its JSON file holds it.
package struct CatalogFile: Hashable, Sendable {
    /// An app without its category: that is the shelf's.
    package struct Entry: Hashable, Sendable {
        package var id: String
        package var name: String
        package var suffixes: [String]
        package var pages: [String]
        package var foreground: [String]
        package var service: [String]

        package init(
            id: String, name: String, suffixes: [String], pages: [String] = [],
            foreground: [String] = [], service: [String] = []
        ) {
            self.id = id
            self.name = name
            self.suffixes = suffixes
            self.pages = pages
            self.foreground = foreground
            self.service = service
        }
    }

    package var id: String
    package var name: String
    package var apps: [Entry]
}

/// What is wrong with a catalog, each problem in one sentence.
package struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
    package let problems: [String]
    package var description: String { "The catalog is faulty. " + problems.joined(separator: " ") }
}

extension Catalog {
    /// The catalog of these shelves, in their order; throws if `validate()` finds a fault. `isTested` skips that check,
    /// where it was made before.
    package init(
        shelves: [CatalogFile], reachable: [AlwaysReachable], isTested: Bool = false
    ) throws(CatalogError) {
        self.init(
            categories: shelves.map { Category(id: $0.id, name: $0.name) },
            apps: shelves.flatMap { shelf in
                shelf.apps.map { app in
                    App(
                        id: app.id, name: app.name, category: shelf.id, suffixes: app.suffixes,
                        pages: app.pages, foreground: app.foreground, service: app.service)
                }
            },
            alwaysReachable: reachable)
        let problems = isTested ? [] : validate()
        guard problems.isEmpty else { throw CatalogError(problems: problems) }
    }
}
