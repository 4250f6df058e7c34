import Foundation
import Policy

extension RandomHousehold {
    mutating func focus() -> Focus {
        Focus(
            timer: timer(), lastPreset: preset(), shieldsWhileFocusing: .random(using: &random),
            shortcuts: FocusShortcuts(
                dndShortcutName: maybe(name()) ?? "", grayscaleShortcutName: maybe(name()) ?? ""),
            finished: few { $0.focusSession() })
    }

    mutating func focusSession() -> FocusSession {
        let start = second()
        return FocusSession(
            id: uuid(), start: start, end: start.addingTimeInterval(.random(in: 0...90_000, using: &random)),
            durationSeconds: .random(in: 0...86_400, using: &random), presetLabel: maybe(preset().label),
            completed: .random(using: &random))
    }

    private mutating func timer() -> FocusTimer {
        let total = Int.random(in: FocusTimer.totals, using: &random)
        let remaining = Int.random(in: 1...total, using: &random)
        let start = second()
        let since = start.addingTimeInterval(TimeInterval(Int.random(in: 0...500, using: &random)))
        let seen = since.addingTimeInterval(TimeInterval(Int.random(in: 0...500, using: &random)))
        let state: FocusTimer.State =
            switch Int.random(in: 0...2, using: &random) {
            case 0: .idle(remaining: remaining)
            case 1:
                .running(
                    FocusTimer.Running(
                        session: uuid(), start: start, since: since,
                        endsAt: seen.addingTimeInterval(TimeInterval(remaining)), seen: seen))
            default:
                .paused(
                    FocusTimer.Paused(session: uuid(), start: start, since: since, remaining: remaining))
            }
        return FocusTimer(totalSeconds: total, state: state)!
    }

    private mutating func preset() -> Preset {
        Preset(minutes: Int.random(in: Preset.range, using: &random))!
    }

    private mutating func second() -> Date {
        Date(timeIntervalSince1970: TimeInterval(Int.random(in: 0...4_000_000_000, using: &random)))
    }
}
