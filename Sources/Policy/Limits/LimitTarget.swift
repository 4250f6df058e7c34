/// What a limit counts: one app or one category.
package enum LimitTarget: Hashable, Sendable {
    case app(String)
    case category(String)

    package var selection: AppSelection {
        switch self {
        case .app(let id): AppSelection(apps: [id])
        case .category(let id): AppSelection(categories: [id])
        }
    }

    package var id: String {
        switch self {
        case .app(let id), .category(let id): id
        }
    }

    package var isApp: Bool { if case .app = self { true } else { false } }

    /// `app` or `category`, as the contract's `kind`.
    package var kind: String {
        switch self {
        case .app: "app"
        case .category: "category"
        }
    }
}
