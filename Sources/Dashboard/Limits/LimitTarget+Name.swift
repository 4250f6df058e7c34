import Policy

extension LimitTarget {
    /// What people call it; the id where the catalog does not have it any more.
    func name(in catalog: Catalog) -> String {
        switch self {
        case .app(let id): catalog.app(id: id)?.name ?? id
        case .category(let id): catalog.category(id: id)?.name ?? id
        }
    }

    /// `App in Social` or `Everything in this category`, in small beside the name.
    func words(in catalog: Catalog) -> String {
        switch self {
        case .app(let id):
            catalog.app(id: id).flatMap { catalog.category(id: $0.category) }.map { "App · \($0.name)" }
                ?? "App"
        case .category: "Category"
        }
    }
}
