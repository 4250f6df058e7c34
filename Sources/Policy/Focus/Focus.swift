import Foundation

/// A person's MonoFocus: the timer, what it shields, and the names of their shortcuts.
package struct Focus: Hashable, Codable, Sendable {
    @Defaulted package var timer: FocusTimer
    /// The length that was chosen last (MF-004); in a row of its own, not in `timer-state.json`.
    @Defaulted package var lastPreset: Preset
    /// "Shield distractions while focusing"; off until it is switched on.
    @Defaulted package var shieldsWhileFocusing: Bool
    @Defaulted package var shortcuts: FocusShortcuts
    /// What finished and is not in the history yet. Whoever writes the household moves it there, by id, and empties
    /// this in the same transaction; where the disk refuses, it waits here.
    @Defaulted package var finished: [FocusSession]

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
