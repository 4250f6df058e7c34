import Pages
package import Policy

/// Adding a limit in two steps that need no script: find an app or category, then give it minutes.
///
/// GET `/limits/new?find=…`, then `/limits/new/app/{id}` or `/limits/new/category/{id}`; POST `/limits`.
package struct NewLimitPage: Page {
    package static let template = "new-limit"

    struct Chosen {
        let name: String
        let what: String
        let field: String
        let id: String
    }

    struct Found {
        let name: String
        /// `26 apps`, or an app's category.
        let what: String
        let field: String
        let id: String
    }

    package let title = "Add a limit"
    /// The search text.
    package let find: String
    let chosen: Chosen?
    let categories: [Found]
    package let hasCategories: Bool
    let apps: [Found]
    package let hasApps: Bool
    /// Whether more apps match than are shown.
    package let hasMore: Bool
    package let isNothingFound: Bool
    package let fields: LimitFields
    /// Input from before the target was chosen, by field; the links carry it along.
    let kept: [Choice]
    package let keptQuery: String?
    /// Why the chosen target is refused.
    package let targetError: String?

    /// The most apps that a search shows.
    private static let maximumApps = 60

    /// `catalog` has the household's own apps; targets that have a limit already are left out.
    package init(
        catalog: Catalog, limits: Limits, find: String = "", target: LimitTarget? = nil,
        typed: LimitFields.Typed = [:], errors: [String: String] = [:]
    ) {
        self.find = find
        chosen = target.map {
            Chosen(
                name: $0.name(in: catalog), what: $0.words(in: catalog), field: $0.kind, id: $0.id)
        }
        let taken = Set(limits.list.map(\.target))
        let words = find.lowercased().split { $0.isWhitespace }.map(String.init)
        let shelves = Dictionary(
            catalog.categories.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
        let apps = catalog.apps.reduce(into: [String: Int]()) { $0[$1.category, default: 0] += 1 }
        categories =
            target == nil
            ? Self.inOrder(catalog.categories).filter { category in
                apps[category.id] != nil && category.id != Category.own.id
                    && !taken.contains(.category(category.id))
                    && Self.matches(words, category.name)
            }.map { Found(name: $0.name, what: Self.count(apps[$0.id] ?? 0), field: "category", id: $0.id) }
            : []
        let found =
            target == nil && !words.isEmpty
            ? catalog.apps.filter { app in
                !taken.contains(.app(app.id))
                    && Self.matches(
                        words,
                        "\(app.name) \(shelves[app.category] ?? "") \(app.suffixes.joined(separator: " "))")
            }.sorted { Self.rank($0, words) < Self.rank($1, words) } : []
        self.apps = found.prefix(Self.maximumApps).map {
            Found(name: $0.name, what: shelves[$0.category] ?? "", field: "app", id: $0.id)
        }
        hasCategories = !categories.isEmpty
        hasApps = !found.isEmpty
        hasMore = found.count > Self.maximumApps
        isNothingFound = target == nil && categories.isEmpty && found.isEmpty
        fields = LimitFields(typed, key: "new", errors: errors)
        kept = typed.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { Choice($0.key, $0.value, isSelected: false) }
        keptQuery =
            kept.isEmpty ? nil : kept.map { "\($0.value)=\($0.label.queryEscaped)" }.joined(separator: "&")
        targetError = errors["target"]
    }

    /// Categories that people often limit come first.
    private static let first = ["social", "short-video", "video", "games", "messengers", "news", "shopping"]

    private static func inOrder(_ categories: [Category]) -> [Category] {
        first.compactMap { id in categories.first { $0.id == id } }
            + categories.filter { !first.contains($0.id) }
    }

    private static func count(_ apps: Int) -> String { apps == 1 ? "1 app" : "\(apps) apps" }

    private static func matches(_ words: [String], _ text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy(text.contains)
    }

    /// Sort key: names that begin with the first word, then names that contain it, then the rest; each in alphabetical
    /// order.
    private static func rank(_ app: App, _ words: [String]) -> String {
        let name = app.name.lowercased()
        return (name.hasPrefix(words[0]) ? "0" : name.contains(words[0]) ? "1" : "2") + name
    }
}
