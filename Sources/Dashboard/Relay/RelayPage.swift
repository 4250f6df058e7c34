package import Pages
package import Policy

/// The apps whose connections pass through this machine while they are open, and what that costs.
///
/// POST `/relay` with `ruled` (`on` or absent) and `app` (repeated; empty ones are ignored).
package struct RelayPage: Page {
    package static let template = "relay"

    package let title = "Instant cut-off"
    package let picker: Picker
    let includesRuled: Bool
    /// The person's limited apps and those of Anti-Rot: `TikTok, YouTube`; nil if there are none.
    let ruled: String?
    let isOn: Bool
    /// Why nothing can be relayed; nil if it can.
    let fault: String?
    /// By field name: `app`.
    package let errors: [String: String]

    /// `relayed` is stored, or was sent and refused; the catalog may already have the own apps.
    package init(
        person: Person, catalog: Catalog, household: Household, relayed: RelayedApps? = nil,
        view: PickerView = PickerView(), fault: String? = nil, errors: [String: String] = [:]
    ) {
        let shown = relayed ?? person.relayed
        includesRuled = shown.includesRuled
        self.fault = fault
        isOn = person.relayed.isOn
        var all = person
        all.relayed = RelayedApps(includesRuled: true)
        ruled = Self.names(all.relayedSelection, in: catalog.adding(household.ownApps))
        picker = Picker(
            .cutting, catalog: catalog, ownApps: household.ownApps,
            selection: AppSelection(apps: shown.chosen),
            view: view)
        self.errors = errors
    }

    private static func names(_ selection: AppSelection, in catalog: Catalog) -> String? {
        let categories = catalog.categories.filter { selection.categories.contains($0.id) }.map(\.name)
        let apps = selection.apps.sorted().compactMap { catalog.app(id: $0)?.name }
        let all = categories + apps
        guard all.count > 6 else { return all.isEmpty ? nil : all.joined(separator: ", ") }
        return all.prefix(5).joined(separator: ", ") + " and \(all.count - 5) more"
    }
}
