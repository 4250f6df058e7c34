package import Foundation

// Illegal moves are refused and change nothing: a form redirects all the same, the API answers 409.

extension Household {
    /// Sets a preset or any length, unless the timer runs; does not start it. This ends a paused
    /// session and saves it to the history, unless it is not to be saved.
    package mutating func setFocusLength(
        _ id: PersonID, minutes: Int, save: Bool = true, at now: Date
    ) throws(Refusal) {
        let index = try index(of: id)
        guard let preset = Preset(minutes: minutes) else { throw .focusLengthOutOfRange }
        var focus = people[index].focus
        if !save, focus.timer.isPaused { _ = try focus.apply(.stop(save: false), at: now) }
        _ = try focus.apply(.setLength(preset), at: now)
        people[index].focus = focus
    }

    /// Starts the timer, with a length if given, as from deep links and widgets. A running timer stays as it
    /// is, and `focusRunning` is thrown. A paused session goes on, or is saved and replaced if a length is
    /// given.
    @discardableResult
    package mutating func startFocus(
        _ id: PersonID, minutes: Int? = nil, session: UUID, at now: Date
    ) throws(Refusal) -> [FocusTimer.Effect] {
        let index = try index(of: id)
        var focus = people[index].focus
        if let minutes {
            guard let preset = Preset(minutes: minutes) else { throw .focusLengthOutOfRange }
            _ = try focus.apply(.setLength(preset), at: now)
        }
        let effects = try focus.apply(.start(session: session), at: now)
        people[index].focus = focus
        return effects
    }

    /// Pauses, resumes or stops. A saved stop is kept in the history even if little time ran
    ///.
    @discardableResult
    package mutating func moveFocus(
        _ id: PersonID, _ move: FocusTimer.Move, at now: Date
    ) throws(Refusal) -> [FocusTimer.Effect] {
        try people[try index(of: id)].focus.apply(move, at: now)
    }

    /// "Shield distractions while focusing".
    package mutating func setShieldsWhileFocusing(_ id: PersonID, to isOn: Bool) throws(Refusal) {
        people[try index(of: id)].focus.shieldsWhileFocusing = isOn
    }

    /// "Save Shortcut Names".
    package mutating func saveShortcutNames(_ id: PersonID, _ names: FocusShortcuts) throws(Refusal) {
        let index = try index(of: id)
        people[index].focus.shortcuts = try names.checked()
    }

    /// Imports a `timer-state.json`, as the app did when it opened: takes the values, and nothing runs. Refused while a session is under way.
    package mutating func importTimerState(_ id: PersonID, _ state: TimerState) throws(Refusal) {
        let index = try index(of: id)
        guard people[index].focus.timer.session == nil else { throw .focusRunning }
        guard let timer = state.timer else { throw .timerStateUnreadable }
        people[index].focus.timer = timer
    }
}
