import Pages
import Policy

extension LimitTarget {
    /// Its name; the id if the catalog has lost it.
    func name(in catalog: Catalog) -> String { catalog.name(of: self) }

    /// Its face.
    func tile(in catalog: Catalog) -> Tile {
        switch self {
        case .app(let id):
            Tile(catalog.app(id: id) ?? App(id: id, name: id, category: Category.own.id, suffixes: []))
        case .category(let id): Tile(catalog.category(id: id) ?? Category(id: Category.own.id, name: id))
        }
    }

    /// `App · Social` or `Category`, in small letters beside the name.
    func words(in catalog: Catalog) -> String {
        switch self {
        case .app(let id):
            catalog.app(id: id).flatMap { catalog.category(id: $0.category) }.map { "App · \($0.name)" }
                ?? "App"
        case .category: "Category"
        }
    }
}
