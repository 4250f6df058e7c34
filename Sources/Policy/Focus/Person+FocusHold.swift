import Foundation

extension Person {
    /// What the Focus layer blocks at an instant, and when that changes by itself.
    struct FocusHold {
        var block: Block?
        var changes: Date?
    }

    /// The restricted apps while the timer runs; a pause opens them. The end is given even if nothing is shielded,
    /// because pages show it.
    func focusHold(at now: Date) -> FocusHold {
        guard case .running(let running) = focus.timer.state, now < running.endsAt else { return FocusHold() }
        let restricted = antiRot.allRestricted
        guard focus.shieldsWhileFocusing, !restricted.isEmpty else {
            return FocusHold(changes: running.endsAt)
        }
        let block = Block(
            layer: .focus, scope: .only(restricted), since: running.since, until: running.endsAt)
        return FocusHold(block: block, changes: running.endsAt)
    }
}
