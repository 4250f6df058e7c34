import Foundation
import Pages
import Policy

/// A loosening change of the windows or apps that waits: POST `/anti-rot/changes/{id}/drop` drops it.
struct WaitingChange {
    let id: String
    /// `2 apps selected`, or the windows.
    let text: String
    /// `today at 21:40`, `on Saturday at 21:40`.
    let takesEffect: String

    /// The person's waiting changes of the chosen subjects, in the order in which they take effect.
    static func all(
        of person: Person, clock: ClockFace, now: Date, apps: Bool = false, windows: Bool = false
    ) -> [WaitingChange] {
        person.pending.compactMap { entry in
            let text: String? =
                switch entry.change {
                case .restricted(let selection) where apps: AntiRotAppsPage.count(selection.apps.count)
                case .windows(let list) where windows: Self.words(list)
                default: nil
                }
            return text.map {
                WaitingChange(id: entry.id.uuidString, text: $0, takesEffect: clock.on(entry.due, from: now))
            }
        }
    }

    private static func words(_ windows: [TimeWindow]) -> String {
        windows.isEmpty ? "No windows" : windows.map(\.words).joined(separator: ", ")
    }
}
