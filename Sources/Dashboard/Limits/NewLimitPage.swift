package import Pages
package import Policy

/// Adding a limit in two steps that need no script: find an app or category, then give it minutes.
///
/// GET `/limits/new` with `find` or `open`, then `/limits/new/app/{id}` or `/limits/new/category/{id}`; POST `/limits`.
package struct NewLimitPage: Page {
    package static let template = "new-limit"

    struct Chosen {
        let tile: Tile
        let name: String
        let what: String
        let field: String
        let id: String
    }

    package let title = "Add a limit"
    let chosen: Chosen?
    /// Nil once the target is chosen.
    let picker: Picker?
    package let fields: LimitFields
    /// Input from before the target was chosen, by field; the links carry it along.
    let kept: [Choice]
    package let keptQuery: String?
    /// `3 one-minute unlocks a day, for all limits together.`
    let unlocks: String
    /// Why the chosen target is refused.
    package let targetError: String?
    /// By field name.
    package let errors: [String: String]

    /// `catalog` has the household's own apps; targets that have a limit already are left out.
    package init(
        catalog: Catalog, limits: Limits, view: PickerView = PickerView(), target: LimitTarget? = nil,
        typed: LimitFields.Typed = [:], errors: [String: String] = [:]
    ) {
        chosen = target.map {
            Chosen(
                tile: $0.tile(in: catalog), name: $0.name(in: catalog), what: $0.words(in: catalog),
                field: $0.kind, id: $0.id)
        }
        picker =
            target == nil
            ? Picker(
                .limiting, catalog: catalog, ownApps: [], selection: AppSelection(), view: view,
                taken: Set(limits.list.map(\.target))) : nil
        fields = LimitFields(typed, key: "new", of: target, catalog: catalog, errors: errors)
        kept = typed.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
            .map { Choice($0.key, $0.value, isSelected: false) }
        keptQuery =
            kept.isEmpty ? nil : kept.map { "\($0.value)=\($0.label.queryEscaped)" }.joined(separator: "&")
        unlocks =
            switch limits.unlocksPerDay {
            case nil: "It can be unlocked for one minute, any number of times."
            case 0: "It cannot be unlocked for one minute."
            case 1: "One limit can be unlocked for one minute, once a day."
            case let most?: "Limits can be unlocked for one minute, \(most) times a day in all."
            }
        targetError = errors["target"]
        self.errors = errors
    }
}
