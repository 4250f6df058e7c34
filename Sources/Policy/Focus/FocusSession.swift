package import Foundation

/// One entry of the focus history.
package struct FocusSession: Hashable, Codable, Sendable, Identifiable {
    /// The run's id from its start: a run that is finished twice makes one row.
    package let id: UUID
    /// When it was first started, not when it was resumed.
    package var start: Date
    /// When the timer came to 0 or was stopped; if it was paused then, when it was paused. Never before `start`.
    package var end: Date
    /// The total if it was completed, else total − remaining; pauses do not count.
    package var durationSeconds: Int
    /// "Nm" for every session run here; nil only in imported files.
    package var presetLabel: String?
    /// Whether the timer came to 0.
    package var completed: Bool

    package init(
        id: UUID, start: Date, end: Date, durationSeconds: Int, presetLabel: String?, completed: Bool
    ) {
        self.id = id
        self.start = start
        self.end = max(start, end)
        self.durationSeconds = durationSeconds
        self.presetLabel = presetLabel
        self.completed = completed
    }
}
