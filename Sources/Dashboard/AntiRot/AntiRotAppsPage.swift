package import Foundation
package import Pages
package import Policy

/// The apps that are blocked outside the windows: POST `/anti-rot/apps` with `app` (repeated; empty
/// ones are ignored) on every change; POST `/anti-rot/apps/undo` with `undo`; POST `/anti-rot/changes/{id}/drop`. For
/// another set than the first below `/anti-rot/sets/{set}`, and with `category`.
package struct AntiRotAppsPage: Page {
    package static let template = "anti-rot-apps"

    package let title = "Apps to Block"
    let tab = AntiRotTab.apps
    let place: SetPlace
    /// `3 apps selected`.
    package let count: String
    /// `Instagram and TikTok`; empty for none.
    let chosen: String
    package let picker: Picker
    let waiting: [WaitingChange]
    /// The picker is open after a refusal, and while its reader searches or opens categories without script.
    package let isOpen: Bool
    /// By field name: `app`.
    package let errors: [String: String]

    /// `selection` is stored, or was sent and refused; the catalog may already have the own apps.
    package init(
        person: Person, set: WindowSet? = nil, catalog: Catalog, household: Household,
        selection: AppSelection? = nil,
        view: PickerView = PickerView(), undo: PickerUndo? = nil, now: Date, zone: TimeZone,
        errors: [String: String] = [:]
    ) {
        let set = set ?? person.antiRot.first
        place = SetPlace(set)
        count = set.chosen.countWords
        let hasOwn = catalog.categories.contains { $0.id == Category.own.id }
        let whole = hasOwn ? catalog : catalog.adding(household.ownApps)
        chosen = set.names(in: whole)
        picker = Picker(
            set.id.map(PickerPurpose.blockingSet) ?? .blocking, catalog: catalog, ownApps: household.ownApps,
            selection: selection ?? set.chosen, view: view, undo: undo)
        waiting = WaitingChange.all(
            of: person, set: set, clock: ClockFace(zone: zone), now: now, apps: true)
        isOpen = !errors.isEmpty || view != PickerView()
        self.errors = errors
    }
}
