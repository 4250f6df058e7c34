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

    /// The person's waiting changes of the chosen subjects, in the order in which they take effect: of one set, or with
    /// their names those of all.
    static func all(
        of person: Person, set: WindowSet? = nil, clock: ClockFace, now: Date, apps: Bool = false,
        windows: Bool = false
    ) -> [WaitingChange] {
        person.pending.compactMap { entry in
            let number = entry.change.windowSet
            guard set == nil || number == set?.id, let own = person.antiRot[set: number] else { return nil }
            let text: String? =
                switch entry.change {
                case .restricted(let selection, _) where apps: selection.countWords
                case .windows(let list, _) where windows: Self.words(list)
                case .removeWindowSet where windows: "Without this set"
                default: nil
                }
            let name = set == nil && number != nil ? "\(own.name): " : ""
            return text.map {
                WaitingChange(
                    id: entry.id.uuidString, text: name + $0, takesEffect: clock.on(entry.due, from: now))
            }
        }
    }

    private static func words(_ windows: [TimeWindow]) -> String {
        windows.isEmpty ? "No windows" : windows.map(\.words).joined(separator: ", ")
    }
}
