import Foundation
import Policy

/// A person's focus as JSON, for the rules last known. What cannot be read counts as untouched, each part for itself.
struct FocusDocument: Codable {
    var timer: FocusTimer?
    var lastPreset: Int
    var shieldsWhileFocusing: Bool
    var shortcuts: FocusShortcuts
    /// What is not in the history yet.
    var finished: [FocusSessionDocument]?

    init(_ focus: Focus) {
        timer = focus.timer
        lastPreset = focus.lastPreset.minutes
        shieldsWhileFocusing = focus.shieldsWhileFocusing
        shortcuts = focus.shortcuts
        finished = focus.finished.isEmpty ? nil : focus.finished.map(FocusSessionDocument.init)
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        timer = try? values.decode(FocusTimer.self, forKey: .timer)
        lastPreset = (try? values.decode(Int.self, forKey: .lastPreset)) ?? Preset.standard.minutes
        shieldsWhileFocusing = (try? values.decode(Bool.self, forKey: .shieldsWhileFocusing)) ?? false
        shortcuts = (try? values.decode(FocusShortcuts.self, forKey: .shortcuts)) ?? FocusShortcuts()
        finished = try? values.decodeIfPresent([FocusSessionDocument].self, forKey: .finished)
    }

    var focus: Focus {
        let preset = Preset(minutes: lastPreset) ?? .standard
        return Focus(
            timer: timer ?? FocusTimer(preset), lastPreset: preset,
            shieldsWhileFocusing: shieldsWhileFocusing, shortcuts: shortcuts,
            finished: finished?.map(\.session) ?? [])
    }
}

/// A session with its true end, which `sessions.json` does not know.
struct FocusSessionDocument: Codable {
    var id: UUID
    var start: Date
    var end: Date
    var durationSeconds: Int
    var presetLabel: String?
    var completed: Bool

    init(_ session: FocusSession) {
        id = session.id
        start = session.start
        end = session.end
        durationSeconds = session.durationSeconds
        presetLabel = session.presetLabel
        completed = session.completed
    }

    var session: FocusSession {
        FocusSession(
            id: id, start: start, end: end, durationSeconds: durationSeconds, presetLabel: presetLabel,
            completed: completed)
    }
}
