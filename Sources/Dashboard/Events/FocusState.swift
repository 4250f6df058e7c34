import Foundation
import Policy

/// The `focus` of `state`: the timer as of one instant, whether it shields, and a session that just ended.
enum FocusState {
    /// How long an ended session is told, in seconds: an open page shows one banner for each id.
    static let recency: TimeInterval = 60

    /// - Parameter last: the session of the history with the latest end.
    static func json(of person: Person, at now: Date, last: FocusSession?) -> JSONValue {
        let focus = person.focus
        return .object([
            ("state", .string(focus.timer.stateName)), ("totalSeconds", .int(focus.timer.totalSeconds)),
            ("remainingSeconds", .int(focus.timer.remaining(at: now))),
            ("endsAt", .instant(focus.timer.endsAt)),
            ("session", focus.timer.session.map { .string($0.uuidString) } ?? .null),
            ("shields", .bool(focus.shieldsWhileFocusing)),
            ("finished", finished(focus, at: now, last: last)),
        ])
    }

    /// Also considers finished sessions that are not written to the disk yet.
    private static func finished(_ focus: Focus, at now: Date, last: FocusSession?) -> JSONValue {
        let latest = (focus.finished + [last].compactMap { $0 }).max { $0.end < $1.end }
        // It may have ended by a clock that is a little ahead.
        guard let latest, abs(now.timeIntervalSince(latest.end)) <= recency else { return .null }
        return .object([
            ("id", .string(latest.id.uuidString)),
            ("presetLabel", latest.presetLabel.map { .string($0) } ?? .null),
            ("end", .instant(latest.end)), ("completed", .bool(latest.completed)),
        ])
    }
}

extension FocusTimer {
    /// When the running countdown reaches 0; nil if none runs.
    func end(after now: Date) -> Date? { endsAt.flatMap { $0 > now ? $0 : nil } }
}
