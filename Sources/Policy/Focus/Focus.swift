import Foundation

/// A person's MonoFocus: the timer, what it shields, and the names of their shortcuts.
package struct Focus: Hashable, Sendable {
    package var timer: FocusTimer
    /// The last chosen length (MF-004); stored apart from `timer-state.json`.
    package var lastPreset: Preset
    /// "Shield distractions while focusing"; off by default.
    package var shieldsWhileFocusing: Bool
    package var shortcuts: FocusShortcuts
    /// Finished sessions that are not in the history yet. The writer of the household moves them there, by id, and
    /// empties this list in the same transaction; if the disk refuses, they wait here.
    package var finished: [FocusSession]

    package init(
        timer: FocusTimer = FocusTimer(), lastPreset: Preset = .standard,
        shieldsWhileFocusing: Bool = false, shortcuts: FocusShortcuts = FocusShortcuts(),
        finished: [FocusSession] = []
    ) {
        self.timer = timer
        self.lastPreset = lastPreset
        self.shieldsWhileFocusing = shieldsWhileFocusing
        self.shortcuts = shortcuts
        self.finished = finished
    }

    /// Makes a move and keeps what it finished; a refused move changes nothing.
    mutating func apply(_ move: FocusTimer.Move, at now: Date) throws(Refusal) -> [FocusTimer.Effect] {
        var moved = self
        let outcome = moved.timer.apply(move, at: now)
        if let refusal = outcome.refusal { throw refusal }
        if case .setLength(let preset) = move { moved.lastPreset = preset }
        moved.keep(outcome.effects)
        self = moved
        return outcome.effects
    }

    /// Completes what is due, at its true end, even if that passed unnoticed (C-08).
    mutating func settle(at now: Date) {
        guard timer.needsTick(at: now) else { return }
        keep(timer.apply(.tick, at: now).effects)
    }

    private mutating func keep(_ effects: [FocusTimer.Effect]) {
        for case .finished(let session) in effects where !finished.contains(where: { $0.id == session.id }) {
            finished.append(session)
        }
    }
}
