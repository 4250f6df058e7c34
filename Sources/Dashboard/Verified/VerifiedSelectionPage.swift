package import Foundation
package import Pages
package import Policy

/// Discipline Dungeon's second tab: the productive apps.
///
/// POST `/verified/selection` with `app`, `category`, `domain` (repeated; empty ones are ignored)
/// with the button: ticks are a draft until then; POST `/verified/selection/undo` with `undo`; POST `/verified/sync`.
package struct VerifiedSelectionPage: Page {
    package static let template = "verified-selection"

    package let title = "Productive Apps"
    let tab = VerifiedTab.selection
    package let picker: Picker
    /// Whether there is anything to sync.
    let canSync: Bool
    /// `this server`, or another server's host.
    let destination: String
    /// `Synced yesterday at 22:19. It went to this server.`
    let synced: String?
    /// Why the latest sync failed.
    let failure: String?
    /// A refused domain.
    let typedDomain: String?
    /// By field name: `app`, `domain`, `sync`.
    package let errors: [String: String]

    /// `selection` was sent and refused; if nil, the saved one is shown.
    package init(
        person: Person, catalog: Catalog, household: Household, selection: AppSelection? = nil,
        typedDomain: String? = nil, view: PickerView = PickerView(), undo: PickerUndo? = nil, now: Date,
        zone: TimeZone, errors: [String: String] = [:]
    ) {
        let verified = person.verified
        let chosen = selection ?? verified.productive ?? AppSelection()
        picker = Picker(
            .counting, catalog: catalog, ownApps: household.ownApps, selection: chosen,
            view: view, undo: undo)
        canSync = verified.productive?.isEmpty == false
        self.destination = verified.destination
        let clock = ClockFace(zone: zone)
        let destination = verified.sync?.destination
        synced = verified.sync.flatMap {
            $0.failure == nil
                ? "Synced \(clock.past($0.at, from: now)).".naming(destination, "It went to") : nil
        }
        failure = verified.sync?.failure?.naming(destination, "It was meant for")
        self.typedDomain = typedDomain
        self.errors = errors
    }
}
