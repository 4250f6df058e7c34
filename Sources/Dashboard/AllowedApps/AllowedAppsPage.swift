package import Pages
package import Policy

/// What stays reachable while sleeping.
///
/// POST `/allowed-apps` with `app`, `category`, `domain` (repeated; empty ones are ignored) on every change; POST
/// `/allowed-apps/undo` with `undo`;
/// POST `/allowed-apps/own` with `name`, `domains`; POST `/allowed-apps/own/{id}/delete`;
/// POST `/allowed-apps/reachable` with `reachable` (repeated: ids of optional entries that stay on).
package struct AllowedAppsPage: Page {
    package static let template = "allowed-apps"

    struct OwnApp {
        let id: String
        let tile: Tile
        let name: String
        let domains: String
    }

    struct Reachable {
        let id: String
        let name: String
        let reason: String
        let isOptional: Bool
        let isOn: Bool
    }

    struct OneTapSet {
        let id: String
        let name: String
        let holds: String
    }

    package let title = "Allowed Apps"
    package let picker: Picker
    let ownApps: [OwnApp]
    let reachable: [Reachable]
    /// Sets that are not allowed as a whole yet.
    let sets: [OneTapSet]
    let hasSets: Bool
    package let isSessionRunning: Bool
    /// Refused input: `domain`, `name`, `domains`.
    package let typed: [String: String]
    /// By field name: `domain`, `name`, `domains`, `app`, `category`, `reachable`.
    package let errors: [String: String]

    /// `catalog` may already have the household's own apps.
    package init(
        catalog: Catalog, household: Household, selection: AppSelection,
        isSessionRunning: Bool, view: PickerView = PickerView(), undo: PickerUndo? = nil,
        typed: [String: String] = [:], errors: [String: String] = [:]
    ) {
        picker = Picker(
            .allowing, catalog: catalog, ownApps: household.ownApps, selection: selection,
            view: view, undo: undo)
        ownApps = household.ownApps.map {
            OwnApp(
                id: $0.id, tile: Tile($0), name: $0.name, domains: $0.suffixes.joined(separator: ", "))
        }
        reachable = catalog.alwaysReachable.map {
            Reachable(
                id: $0.id, name: $0.name, reason: $0.reason, isOptional: $0.isOptional,
                isOn: !$0.isOptional || !household.unreachable.contains($0.id))
        }
        sets = AllowedSet.allCases.compactMap { set in
            guard set != .starting || selection.isEmpty else { return nil }
            let categories = catalog.categories.filter { set.selection.categories.contains($0.id) }
            let isWhole = Set(categories.map(\.id)).isSubset(of: selection.categories)
            guard !isWhole else { return nil }
            return OneTapSet(
                id: set.rawValue, name: set.name, holds: categories.map(\.name).joined(separator: ", "))
        }
        hasSets = !sets.isEmpty
        self.isSessionRunning = isSessionRunning
        self.typed = typed
        self.errors = errors
    }
}

extension AllowedSet {
    fileprivate var name: String {
        switch self {
        case .sleepSounds: "Sleep sounds"
        case .onCall: "On call"
        case .starting: "To start with"
        }
    }
}
